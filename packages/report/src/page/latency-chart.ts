import * as Plot from "@observablehq/plot";

import { changeTick, lessOrMore } from "../format.js";
import type { LatencyRow } from "../result.js";

/** What the rewrite saves by delay, with the intervals as a band. */
export function latencyChart(rows: readonly LatencyRow[], width: number): Element {
  return Plot.plot({
    width,
    height: 240,
    marginLeft: 48,
    marginRight: 24,
    marginBottom: 44,
    style: { fontSize: "12px" },
    x: {
      label: "Delay (ms)",
      labelOffset: 40,
      ticks: rows.map(({ delayMs }) => delayMs),
      tickFormat: "d",
    },
    y: {
      label: "Time after the rewrite",
      labelArrow: "none",
      grid: true,
      ticks: 5,
      nice: true,
      zero: true,
      tickFormat: (value: number) => changeTick(value),
    },
    marks: marks(rows),
  });
}

function marks(rows: readonly LatencyRow[]): Plot.Markish[] {
  const change = ({ summary }: LatencyRow) => summary.geometricChange;
  const end = (index: 0 | 1) => (row: LatencyRow) => row.summary.interval?.[index] ?? change(row);
  const at = { x: "delayMs", y: change } as const;
  return [
    Plot.areaY(rows, {
      x: "delayMs",
      y1: end(0),
      y2: end(1),
      fill: "var(--faster)",
      fillOpacity: 0.15,
    }),
    Plot.ruleY([0], { stroke: "var(--text)", strokeOpacity: 0.5 }),
    Plot.line(rows, { ...at, stroke: "var(--faster)", strokeWidth: 2 }),
    Plot.dot(rows, { ...at, fill: "var(--faster)", r: 4 }),
    Plot.text(rows, {
      ...at,
      text: (row: LatencyRow) => lessOrMore(change(row)),
      dy: -12,
      fill: "var(--text)",
    }),
  ];
}
