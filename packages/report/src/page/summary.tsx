import { counted, lessOrMore, lessOrMoreRange } from "../format.js";
import type { VerifyResult } from "../result.js";
import { mostSaved } from "../timeline.js";
import { averages, type Statement, statements } from "../verdict.js";
import { Overlap } from "./overlap.js";
import { Table } from "../shared/table.js";

const SIGNS = { good: "✓", bad: "✕", open: "?" } as const;

/** What a manager needs: still right, how much faster, how sure; then the figures behind it. */
export function Summary({ result }: { result: VerifyResult }) {
  // What broke comes before any picture.
  const site = result.outcome === "broken" ? undefined : mostSaved(result);
  return (
    <section class="hero" aria-labelledby="project">
      <p class="eyebrow">Verification of</p>
      <h1 id="project">{result.project}</h1>
      <div class="verdict">
        {statements(result).map((statement) => (
          <Line key={statement.word} statement={statement} />
        ))}
      </div>
      {result.interrupted && (
        <p class="callout">
          It was stopped early.
          {result.tests.length > 0 && " The figures are those of the runs until then."}
        </p>
      )}
      {site !== undefined && (
        <div class="picture">
          <h2>Before and after</h2>
          <p class="lead">
            What <a href={`#site-${site.id}`}>{`${site.file}:${site.line}`}</a> waits for. Each bar
            is one operation, from its start to its end.
          </p>
          <Overlap timeline={site.timeline} />
        </div>
      )}
      {result.tests.length > 0 && <Facts result={result} />}
      {result.tests.length > 0 && <Averages result={result} />}
    </section>
  );
}

function Line({ statement: { mood, word, text } }: { statement: Statement }) {
  return (
    <p class={`line ${mood}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[mood]}
      </span>
      <span>
        <strong>{word}:</strong> {text}.
      </span>
    </p>
  );
}

function Facts({ result: { summary, runs, sites } }: { result: VerifyResult }) {
  const facts: [number, string][] = [
    ...(sites.length > 0
      ? [[sites.length, plural(sites.length, "rewritten place")] as [number, string]]
      : []),
    [summary.tests, `${plural(summary.tests, "test")} timed, ${counted(runs, "run")} each`],
    [summary.significantAdjusted, "faster beyond chance"],
    [summary.slowerAdjusted, "slower beyond chance"],
    [summary.belowTimer, "too short for the clock"],
  ];
  return (
    <dl class="facts">
      {facts.map(([figure, name]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

function Averages({ result: { summary } }: { result: VerifyResult }) {
  return (
    <Table
      label="Averages side by side"
      caption="Time after the rewrite, averaged in four ways"
      headings={[["Average"], ["Time", "number"], ["What it says"]]}
      kind="averages"
    >
      {averages(summary).map(({ name, value, meaning, interval }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="number">
            {lessOrMore(value)}
            {interval !== undefined && <span class="interval">{lessOrMoreRange(interval)}</span>}
          </td>
          <td class="meaning">{meaning}</td>
        </tr>
      ))}
    </Table>
  );
}
