import { useCallback } from "preact/hooks";

import { duration, probability, lessOrMore, lessOrMoreRange } from "../format.js";
import type { Site } from "../result.js";
import { Chart } from "../shared/chart.js";
import type { JudgedTest } from "./judged.js";
import { runsChart } from "./runs-chart.js";
import { Rows } from "../shared/table.js";
import { SiteLink } from "./trouble.js";

interface RunsProps {
  readonly chosen: JudgedTest;
  /** The tests to go through. */
  readonly shown: readonly JudgedTest[];
  readonly sites: readonly Site[];
  readonly choose: (id: string) => void;
}

/** Every run of one test, as the paper's Figure 11. */
export function Runs({ chosen, shown, sites, choose }: RunsProps) {
  const { test } = chosen;
  const draw = useCallback((width: number) => runsChart(test, width), [test]);
  const { mean1, mean2 } = test.statistics;
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Runs of one test</h2>
      <Picker {...{ chosen, shown, choose }} />
      <h3 class="name">{test.name}</h3>
      {test.file !== "" && <p class="place">{test.file}</p>}
      <ul class="legend">
        <li>
          <span class="dot original" aria-hidden="true" /> before, mean {duration(mean1)}
        </li>
        <li>
          <span class="dot rewritten" aria-hidden="true" /> after, mean {duration(mean2)}
        </li>
      </ul>
      <Chart
        draw={draw}
        label={`Time of each run of ${test.name}: mean ${duration(mean1)} before the rewrite, ${duration(mean2)} after it.`}
      />
      <Figures chosen={chosen} />
      {test.sites.length > 0 && (
        <p>
          It executes{" "}
          {test.sites.map((id, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <SiteLink id={id} sites={sites} />
            </span>
          ))}
          .
        </p>
      )}
    </section>
  );
}

function Picker({ chosen, shown, choose }: Omit<RunsProps, "sites">) {
  const place = shown.findIndex(({ test }) => test.id === chosen.test.id);
  const listed = place < 0 ? [chosen, ...shown] : shown;
  const step = (by: number) => () => {
    const next = shown[(place + by + shown.length) % shown.length];
    if (next !== undefined) choose(next.test.id);
  };
  return (
    <div class="picker">
      <Step
        name="Previous test"
        sign="←"
        isOff={shown.length === 0}
        step={step(place < 0 ? 0 : -1)}
      />
      <select
        aria-label="Test"
        value={chosen.test.id}
        onChange={(event) => {
          choose(event.currentTarget.value);
        }}
      >
        {listed.map(({ test, number }) => (
          <option key={test.id} value={test.id}>
            {number}. {test.name}
          </option>
        ))}
      </select>
      <Step name="Next test" sign="→" isOff={shown.length === 0} step={step(1)} />
    </div>
  );
}

function Step(props: { name: string; sign: string; isOff: boolean; step: () => void }) {
  return (
    <button type="button" aria-label={props.name} disabled={props.isOff} onClick={props.step}>
      {props.sign}
    </button>
  );
}

function Figures({ chosen: { test, change, interval } }: { chosen: JudgedTest }) {
  const { median1, median2, deviation1, deviation2, welchP, adjustedP } = test.statistics;
  const rows: [string, string][] = [
    ["Time", change === null ? "no ratio: a mean is 0" : lessOrMore(change)],
    ["95% interval", lessOrMoreRange(interval)],
    ["Median", `${duration(median1)} → ${duration(median2)}`],
    ["Standard deviation", `${duration(deviation1)} → ${duration(deviation2)}`],
    ["Welch’s t-test", `p ${is(welchP)}, corrected ${is(adjustedP)}`],
  ];
  return <Rows rows={rows} />;
}

function is(p: number | null): string {
  if (p === null) return "not known";
  return p < 0.001 ? probability(p) : `= ${probability(p)}`;
}
