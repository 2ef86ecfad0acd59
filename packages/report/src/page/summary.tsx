import { counted, signedPercent, signedRange } from "../format.js";
import type { VerifyResult } from "../result.js";
import { averages, verdict, type Statement } from "../verdict.js";
import { Table } from "./table.js";

const SIGNS = { good: "✓", bad: "✕", open: "?" } as const;

/** What a manager needs: still right, how much faster, how sure; then the figures behind it. */
export function Summary({ result }: { result: VerifyResult }) {
  const { right, fast } = verdict(result);
  return (
    <section class="hero" aria-labelledby="project">
      <p class="eyebrow">Verification of</p>
      <h1 id="project">{result.project}</h1>
      <div class="verdict">
        <Line statement={right} />
        <Line statement={fast} />
      </div>
      {result.interrupted && (
        <p class="callout">
          It was stopped early.
          {result.tests.length > 0 && " The figures are those of the runs until then."}
        </p>
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
      caption="Less time, averaged in four ways"
      headings={[["Average"], ["Less time", "number"], ["What it says"]]}
      kind="averages"
    >
      {averages(summary).map(({ name, value, meaning, interval }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="number">
            {signedPercent(value)}
            {interval !== undefined && <span class="interval">{signedRange(interval)}</span>}
          </td>
          <td class="meaning">{meaning}</td>
        </tr>
      ))}
    </Table>
  );
}
