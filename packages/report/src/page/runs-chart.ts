import * as Plot from "@observablehq/plot";

import { duration, timeAxis } from "../format.js";
import type { TestResult } from "../result.js";

interface Run {
  readonly run: number;
  readonly time: number;
  readonly program: "before" | "after";
}

/** Each run of a test in both programs, with the means as dashed lines: the paper's Figure 11. */
export function runsChart(test: TestResult, width: number): Element {
  const before = runs(test.original, "before");
  const after = runs(test.rewritten, "after");
  const { mean1, mean2 } = test.statistics;
  const { unit, tick } = timeAxis(Math.max(...test.original, ...test.rewritten));
  const line = { x: "run", y: "time", strokeWidth: 1, strokeOpacity: 0.35 } as const;
  const dot = { x: "run", y: "time", r: before.length > 100 ? 2.5 : 3.5 } as const;
  return Plot.plot({
    width,
    height: width < 480 ? 260 : 320,
    marginLeft: 52,
    marginBottom: 44,
    marginRight: 12,
    style: { fontSize: "12px" },
    x: { label: "Run", labelOffset: 40, ticks: width < 480 ? 4 : 10, tickFormat: "d" },
    y: { label: `Time (${unit})`, grid: true, ticks: 5, nice: true, tickFormat: tick },
    marks: [
      Plot.line(before, { ...line, stroke: "var(--original)" }),
      Plot.line(after, { ...line, stroke: "var(--rewritten)" }),
      Plot.dot(before, { ...dot, fill: "var(--original)" }),
      Plot.dot(after, { ...dot, fill: "var(--rewritten)", symbol: "triangle" }),
      Plot.ruleY([mean1], {
        stroke: "var(--original)",
        strokeWidth: 2,
        strokeDasharray: "8 3 2 3",
      }),
      Plot.ruleY([mean2], { stroke: "var(--rewritten)", strokeWidth: 2, strokeDasharray: "6 4" }),
      Plot.tip(
        [...before, ...after],
        Plot.pointer({
          x: "run",
          y: "time",
          title: tip,
          fill: "var(--card)",
          stroke: "var(--line)",
        }),
      ),
    ],
  });
}

function runs(times: readonly number[], program: Run["program"]): Run[] {
  return times.map((time, index) => ({ run: index + 1, time, program }));
}

function tip({ run, time, program }: Run): string {
  return `Run ${run} ${program}\n${duration(time)}`;
}
