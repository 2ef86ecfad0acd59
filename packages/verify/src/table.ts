import {
  type BrokenTest,
  changeOf,
  counted,
  lessOrMore,
  lessOrMoreRange,
  mostSaved,
  statements,
  type TestResult,
  timelineText,
  type VerifyResult,
} from "@headstart/report";

const SHOWN = 15;
const NAME_LENGTH = 48;

/**
 * What a verification found, as text for a terminal.
 *
 * @param columns How wide the terminal is.
 */
export function renderTable(result: VerifyResult, columns: number): string {
  const parts = [
    headline(result),
    ...result.broken.map((test) => brokenText(test, result)),
    picture(result, columns),
    testTable(result),
    latencyTable(result),
    flakyText(result),
    result.notes.map((note) => `note: ${note}`).join("\n"),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function headline(result: VerifyResult): string {
  const stopped = result.interrupted ? ["Interrupted: what was measured until then follows."] : [];
  const lines = statements(result).map(({ word, text }) =>
    text === "" ? `${word}.` : `${word}: ${text}.`,
  );
  return [...stopped, ...lines].join("\n");
}

function brokenText(
  { name, file, how, message, sites, blamed, seed }: BrokenTest,
  result: VerifyResult,
): string {
  const place = (id: number): string => {
    const site = result.sites[id - 1];
    return `${site?.file ?? ""}:${site?.line ?? ""}`;
  };
  const guilty =
    blamed !== undefined
      ? `  to blame: ${place(blamed)}`
      : sites.length === 0
        ? "  it executes no rewritten place itself"
        : `  ${sites.length === 1 ? "executes" : "executes, with --bisect to find the one to blame"}: ${sites.map(place).join(", ")}`;
  const said = message
    .trimEnd()
    .split("\n")
    .slice(0, 12)
    .map((line) => `    ${line}`);
  const again =
    seed === undefined
      ? []
      : [`  under schedule ${seed} only; the same command with --seed ${seed} shows it again`];
  const title = `${how}: ${name}${file === "" ? "" : ` (${file})`}`;
  return [title, guilty, ...again, ...said].join("\n");
}

/** When the operations of a place were under way: of the place where running them at once saves most. */
function picture(result: VerifyResult, columns: number): string {
  const site = mostSaved(result);
  if (site === undefined) return "";
  const title = `What ${site.file}:${site.line} waits for, in one run of "${site.timeline.test}":`;
  return `${title}\n\n${timelineText(site.timeline, columns)}`;
}

function testTable({ tests, summary }: VerifyResult): string {
  if (tests.length === 0) return "";
  const rows = [...tests]
    .sort((a, b) => (a.statistics.ratio ?? 1) - (b.statistics.ratio ?? 1))
    .slice(0, SHOWN)
    .map(row);
  const more = tests.length > SHOWN ? [[`… and ${tests.length - SHOWN} more in the report`]] : [];
  const head = ["test", "before", "after", "time", "95% interval", ""];
  const isMarked = tests.some(({ statistics }) => statistics.significantAdjusted);
  return [
    grid([head, ...rows, ...more]),
    ...(isMarked ? [`*: beyond chance (p < 0.05, corrected for the number of tests).`] : []),
    `Beyond chance, of ${counted(summary.tests, "test")}: ${summary.significantAdjusted} faster, ${summary.slowerAdjusted} slower; ` +
      `${summary.significant} faster without the correction (p < 0.1, as in the paper).`,
    `Average time: ${lessOrMore(summary.geometricChange)} by the geometric mean, ${lessOrMore(summary.harmonicChange)} by the harmonic (the paper's), ` +
      `${lessOrMore(summary.meanChange)} by the plain one; all tests in a row, ${lessOrMore(summary.totalChange)}.`,
  ].join("\n");
}

function row({ name, statistics }: TestResult): string[] {
  const { mean1, mean2, ratio, low, high, significantAdjusted, belowTimer } = statistics;
  const change = ratio === null ? "" : lessOrMore(changeOf(ratio));
  const interval =
    low === null || high === null ? "" : lessOrMoreRange([changeOf(high), changeOf(low)]);
  const mark = belowTimer ? "below the clock" : significantAdjusted ? "*" : "";
  return [shorten(name), ms(mean1), ms(mean2), change, interval, mark];
}

function latencyTable({ latency }: VerifyResult): string {
  if (latency.length === 0) return "";
  const rows = latency.map(({ delayMs, summary }) => [
    `${delayMs} ms`,
    lessOrMore(summary.geometricChange),
    lessOrMoreRange(summary.interval),
    `${summary.significantAdjusted} of ${summary.tests}`,
  ]);
  return grid([["delay", "time", "95% interval", "faster beyond chance"], ...rows]);
}

function flakyText({ flaky }: VerifyResult): string {
  const lines = flaky.map(
    ({ name, file, passed, failed }) =>
      `flaky before the rewrite, left out: ${name} (${file}; passed ${passed}, failed ${failed})`,
  );
  return lines.join("\n");
}

/** Columns as wide as they have to be; the first to the left, the others to the right. */
function grid(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(
      ...rows.filter(({ length }) => length > 1).map((cells) => (cells[column] ?? "").length),
    ),
  );
  return rows
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 2 : 1)} ms`;
}

function shorten(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH - 1)}…`;
}
