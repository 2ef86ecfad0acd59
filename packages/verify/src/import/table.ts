import { lessOrMore, lessOrMoreRange, type VerifyResult } from "@headstart/report";

/** One column: its heading, and what stands in it for a project. */
interface Column {
  readonly heading: string;
  readonly cell: (result: VerifyResult) => string;
}

const COLUMNS: readonly Column[] = [
  { heading: "project", cell: ({ project }) => project },
  { heading: "tests", cell: ({ summary }) => String(summary.tests) },
  { heading: "runs", cell: ({ runs }) => String(runs) },
  { heading: "harmonic", cell: ({ summary }) => lessOrMore(summary.harmonicChange) },
  { heading: "plain", cell: ({ summary }) => lessOrMore(summary.meanChange) },
  { heading: "geometric", cell: ({ summary }) => lessOrMore(summary.geometricChange) },
  { heading: "95% interval", cell: ({ summary }) => lessOrMoreRange(summary.interval) },
  { heading: "total time", cell: ({ summary }) => lessOrMore(summary.totalChange) },
  { heading: "largest", cell: ({ summary }) => lessOrMore(summary.maxChange) },
  { heading: "p < 0.1", cell: ({ summary }) => share(summary.significant, summary.tests) },
  {
    heading: "corrected",
    cell: ({ summary }) => share(summary.significantAdjusted, summary.tests),
  },
  { heading: "clock", cell: ({ summary }) => share(summary.belowTimer, summary.tests) },
];

/**
 * The paper's Table 4 for these projects, as text for the terminal, with the averages that it does
 * not print beside the one that it does.
 */
export function importTable(results: readonly VerifyResult[]): string {
  const rows = [
    COLUMNS.map(({ heading }) => heading),
    ...results.map((result) => COLUMNS.map(({ cell }) => cell(result))),
  ];
  const widths = COLUMNS.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join("  "),
  );
  return `${[...lines, "", ...LEGEND].join("\n")}\n`;
}

const LEGEND = [
  "Time after the rewrite, beside before. harmonic: 1 - harmonic mean of after/before over the tests, as the",
  "paper has it; it flatters. plain, geometric: with that mean (the interval is the geometric one's). total time:",
  "of all tests together. p < 0.1: tests that are faster by Welch's t-test, as the paper counts them; corrected:",
  "p < 0.05 after Benjamini-Hochberg. clock: tests whose change the steps of the clock hide.",
];

function share(count: number, of: number): string {
  return `${(of === 0 ? 0 : (100 * count) / of).toFixed(1)}%`;
}
