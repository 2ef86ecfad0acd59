import { useCallback } from "preact/hooks";

import { lessOrMore, lessOrMoreRange } from "../format.js";
import type { LatencyRow } from "../result.js";
import { Chart } from "../shared/chart.js";
import { latencyChart } from "./latency-chart.js";
import { Table, type Heading } from "../shared/table.js";

const HEADINGS: readonly Heading[] = [
  ["Delay"],
  ["Time", "number"],
  ["95% interval", "number"],
  ["Harmonic", "number wide"],
  ["Total", "number wide"],
  ["p < 0.1", "number"],
  ["Corrected", "number wide"],
];

/** What the rewrite saves when each rewritten operation takes longer: the paper's Table 5. */
export function Latency({ rows }: { rows: readonly LatencyRow[] }) {
  const draw = useCallback((width: number) => latencyChart(rows, width), [rows]);
  return (
    <section aria-labelledby="latency">
      <h2 id="latency">With slower operations</h2>
      <p class="lead">
        The same tests, with each rewritten operation made to take longer by so much, before and
        after the rewrite, as over a slower network.
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
      <td class="number">{lessOrMore(summary.geometricChange)}</td>
      <td class="number">{lessOrMoreRange(interval)}</td>
      <td class="number wide">{lessOrMore(summary.harmonicChange)}</td>
      <td class="number wide">{lessOrMore(summary.totalChange)}</td>
      <td class="number">
        {summary.significant} of {summary.tests}
      </td>
      <td class="number wide">
        {summary.significantAdjusted} of {summary.tests}
      </td>
    </tr>
  );
}
