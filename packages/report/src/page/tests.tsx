import { useCallback, useMemo, useState } from "preact/hooks";

import { lessOrMore } from "../format.js";
import type { VerifyResult } from "../result.js";
import { Chart } from "../shared/chart.js";
import { Filters } from "./filters.js";
import { judge, select, type Filter, type JudgedTest, type Level } from "./judged.js";
import { Runs } from "./runs.js";
import { scatter } from "./scatter.js";
import { TestTable } from "./test-table.js";

const EVERYTHING: Filter = { text: "", group: "all", site: null, order: "suite" };

/** All tests as in the paper's Figure 10, and the runs of one of them. */
export function Tests({ result }: { result: VerifyResult }) {
  const [level, setLevel] = useState<Level>("corrected");
  const [filter, setFilter] = useState(EVERYTHING);
  const [chosenId, choose] = useState(() => typical(judge(result.tests, "corrected")));
  const judged = useMemo(() => judge(result.tests, level), [result, level]);
  const shown = useMemo(() => select(judged, filter), [judged, filter]);
  const chosen = judged.find(({ test }) => test.id === chosenId);
  const average = result.summary.geometricChange;
  const draw = useCallback(
    (width: number) => scatter(shown, { width, average, chosenId }),
    [shown, average, chosenId],
  );
  return (
    <>
      <section aria-labelledby="tests">
        <h2 id="tests">Test by test</h2>
        <Lead average={average} />
        <Filters {...{ result, level, setLevel, filter, setFilter }} />
        <p class="count" role="status">
          {shown.length} of {judged.length} tests
        </p>
        <Legend level={level} />
        {shown.length > 0 ? (
          <Chart
            draw={draw}
            label={described(shown)}
            onPick={(value) => {
              choose((value as JudgedTest).test.id);
            }}
          />
        ) : (
          <p class="empty">No test matches. Change the search or the filters.</p>
        )}
        <TestTable tests={shown} chosenId={chosenId} choose={choose} />
      </section>
      {chosen !== undefined && <Runs {...{ chosen, shown, choose }} sites={result.sites} />}
    </>
  );
}

function Lead({ average }: { average: number }) {
  return (
    <p class="lead">
      Each mark is a test that runs rewritten code; higher means that it takes less time after the
      rewrite. The dashed line is the average of all: {lessOrMore(average)}.
    </p>
  );
}

/** The test to begin with: of those that are faster, the one in the middle, else the longest. */
function typical(tests: readonly JudgedTest[]): string {
  const faster = tests
    .filter(({ group }) => group === "faster")
    .sort((a, b) => (a.change ?? 0) - (b.change ?? 0));
  const [longest] = select(tests, { ...EVERYTHING, order: "longest" });
  const found = faster[Math.floor(faster.length / 2)] ?? longest;
  return found?.test.id ?? "";
}

function described(tests: readonly JudgedTest[]): string {
  const count = (group: JudgedTest["group"]) => tests.filter((test) => test.group === group).length;
  const changes = tests.flatMap(({ change }) => (change === null ? [] : [change]));
  const range =
    changes.length === 0
      ? ""
      : `, from ${lessOrMore(Math.min(...changes))} to ${lessOrMore(Math.max(...changes))}`;
  return (
    `Scatter plot of ${tests.length} tests${range}: ${count("faster")} faster, ` +
    `${count("slower")} slower, ${count("unclear")} without a clear change, ` +
    `${count("clock")} too short for the clock. The table below has the same figures.`
  );
}

function Legend({ level }: { level: Level }) {
  const sure = level === "paper" ? "p < 0.1" : "corrected p < 0.05";
  return (
    <ul class="legend">
      <li>
        <span class="dot faster" aria-hidden="true" /> faster ({sure})
      </li>
      <li>
        <span class="dot slower" aria-hidden="true" /> slower ({sure})
      </li>
      <li>
        <span class="dot unclear" aria-hidden="true" /> no clear change
      </li>
      <li>
        <span class="dot clock" aria-hidden="true">
          ×
        </span>{" "}
        too short for the clock
      </li>
    </ul>
  );
}
