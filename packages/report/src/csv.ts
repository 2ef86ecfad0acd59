// csv-stringify: the sister of the reader in packages/verify.
import { stringify } from "csv-stringify/sync";

import type { TestResult, VerifyResult } from "./result.js";

type Cell = string | number | boolean | null;

const COLUMNS: readonly (readonly [name: string, cell: (test: TestResult) => Cell])[] = [
  ["test", ({ id }) => id],
  ["file", ({ file }) => file],
  ["name", ({ name }) => name],
  ["sites", ({ sites }) => sites.join(" ")],
  ["runs_original", ({ statistics }) => statistics.n1],
  ["runs_rewritten", ({ statistics }) => statistics.n2],
  ["mean_original_ms", ({ statistics }) => statistics.mean1],
  ["mean_rewritten_ms", ({ statistics }) => statistics.mean2],
  ["median_original_ms", ({ statistics }) => statistics.median1],
  ["median_rewritten_ms", ({ statistics }) => statistics.median2],
  ["ratio", ({ statistics }) => statistics.ratio],
  ["ratio_low", ({ statistics }) => statistics.low],
  ["ratio_high", ({ statistics }) => statistics.high],
  ["welch_p", ({ statistics }) => statistics.welchP],
  ["adjusted_p", ({ statistics }) => statistics.adjustedP],
  ["significant", ({ statistics }) => statistics.significant],
  ["significant_adjusted", ({ statistics }) => statistics.significantAdjusted],
  ["below_timer", ({ statistics }) => statistics.belowTimer],
];

/** One row for each test of each result, with a header; empty cells where there is no value. */
export function testsCsv(results: readonly VerifyResult[]): string {
  const rows = results.flatMap(({ project, tests }) =>
    tests.map((test) => [project, ...COLUMNS.map(([, cell]) => cell(test))]),
  );
  return stringify(rows, {
    header: true,
    columns: ["project", ...COLUMNS.map(([name]) => name)],
    cast: { boolean: String },
    // A name of a test may begin like a formula; a spreadsheet must not run it.
    escape_formulas: true,
  });
}
