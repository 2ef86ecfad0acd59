import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";

import { signedPercent, signedRange } from "../format.js";
import type { LatencyRow } from "../result.js";
import { Chart } from "./chart.js";
import { Table, type Heading } from "./table.js";

const HEADINGS: readonly Heading[] = [
  ["Delay"],
  ["Less time", "number"],
  ["95% interval", "number"],
  ["Harmonic", "number wide"],
  ["Total", "number wide"],
  ["p < 0.1", "number"],
  ["Corrected", "number wide"],
];

/** What the rewrite saves when each rewritten operation takes longer: the paper's Table 5. */
export function Latency({ rows }: { rows: readonly LatencyRow[] }) {
  const draw = useCallback((width: number) => chart(rows, width), [rows]);
  return (
    <section aria-labelledby="latency">
      <h2 id="latency">With slower operations</h2>
      <p class="lead">
        Each rewritten operation is delayed in both programs, as a network would. What waits at the
        same time waits once.
      </p>
      <Chart
        draw={draw}
        label="What the rewrite saves by delay. The table below has the figures."
      />
      <Table label="Figures by delay" headings={HEADINGS}>
        {rows.map((row) => (
          <Row key={row.delayMs} row={row} />
        ))}
      </Table>
    </section>
  );
}

function Row({ row: { delayMs, summary } }: { row: LatencyRow }) {
  const { interval } = summary;
  return (
    <tr>
      <th scope="row">{delayMs === 0 ? "none" : `${delayMs} ms`}</th>
      <td class="number">{signedPercent(summary.geometricChange)}</td>
      <td class="number">{signedRange(interval)}</td>
      <td class="number wide">{signedPercent(summary.harmonicChange)}</td>
      <td class="number wide">{signedPercent(summary.totalChange)}</td>
      <td class="number">
        {summary.significant} of {summary.tests}
      </td>
      <td class="number wide">
        {summary.significantAdjusted} of {summary.tests}
      </td>
    </tr>
  );
}

function chart(rows: readonly LatencyRow[], width: number): Element {
  const change = ({ summary }: LatencyRow) => summary.geometricChange;
  const end = (index: 0 | 1) => (row: LatencyRow) => row.summary.interval?.[index] ?? change(row);
  const at = { x: "delayMs", y: change } as const;
  return Plot.plot({
    width,
    height: 240,
    marginLeft: 48,
    marginRight: 24,
    style: { fontSize: "12px" },
    x: { label: "Delay (ms)", ticks: rows.map(({ delayMs }) => delayMs), tickFormat: "d" },
    y: {
      label: "Less time",
      grid: true,
      ticks: 5,
      nice: true,
      zero: true,
      tickFormat: (value: number) => signedPercent(value).replace(".0", ""),
    },
    marks: [
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
        text: (row: LatencyRow) => signedPercent(change(row)),
        dy: -12,
        fill: "var(--text)",
      }),
    ],
  });
}
