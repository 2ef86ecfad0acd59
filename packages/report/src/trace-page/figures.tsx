import { useCallback, useMemo, useState } from "preact/hooks";

import { Chart } from "../shared/chart.js";
import { Switch } from "../shared/controls.js";
import { quantile } from "../trace/distribution.js";
import { whole } from "../trace/format.js";
import type { TraceReport } from "../trace/report.js";
import type { View } from "./app.js";
import { curveChart, STYLES, type Scale } from "./curve-chart.js";
import { CurveTable } from "./curve-table.js";
import { Untimed } from "./untimed.js";
import { figures, type Figure, type Line } from "./figure-list.js";

const SCALES: readonly (readonly [Scale, string])[] = [
  ["share", "In percent"],
  ["number", "As numbers"],
];

/** Everything that is measured, as cumulative curves with their tables. */
export function Figures({ report, view }: { report: TraceReport; view: View }) {
  const [scale, setScale] = useState<Scale>("share");
  const shown = useMemo(() => figures(report, view), [report, view]);
  return (
    <section aria-labelledby="curves">
      <div class="title">
        <h2 id="curves">How it runs and waits</h2>
        <Switch legend="Curves" name="scale" choices={SCALES} value={scale} choose={setScale} />
      </div>
      <p class="lead">
        Each curve says how many are at most so long, or so many: where it is steep, there are many.
        n is how many there are in all.
      </p>
      {!report[view].timed && <Untimed />}
      <div class="figures">
        {shown.map((figure) => (
          <FigureCard key={figure.id} figure={figure} scale={scale} />
        ))}
      </div>
    </section>
  );
}

function FigureCard({ figure, scale }: { figure: Figure; scale: Scale }) {
  const { id, title, text, lines } = figure;
  const draw = useCallback((width: number) => curveChart(figure, scale, width), [figure, scale]);
  const isEmpty = lines.every(({ distribution }) => distribution.count === 0);
  return (
    <article class="figure" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <p class="small dim">{text}</p>
      <Legend lines={lines} />
      {isEmpty ? (
        <p class="empty">There are none in this recording.</p>
      ) : (
        <Chart draw={draw} label={described(figure)} />
      )}
      <CurveTable figure={figure} />
    </article>
  );
}

function Legend({ lines }: { lines: readonly Line[] }) {
  return (
    <ul class="legend">
      {lines.map(({ name, distribution }, index) => (
        <li key={name}>
          <svg class="sample" width="30" height="10" aria-hidden="true">
            <line
              x1="0"
              x2="30"
              y1="5"
              y2="5"
              stroke={STYLES[index]?.stroke}
              stroke-width="2"
              stroke-dasharray={STYLES[index]?.dash}
            />
          </svg>{" "}
          {name} <span class="dim">n = {whole(distribution.count)}</span>
        </li>
      ))}
    </ul>
  );
}

function described({ title, axis, lines }: Figure): string {
  const parts = lines.map(({ name, distribution }) => {
    const half = quantile(distribution, 0.5);
    if (half === undefined) return `${name}: none`;
    return `${name}: n = ${whole(distribution.count)}, half at most ${axis.text(half)}, the largest ${axis.text(distribution.max)}`;
  });
  return `${title}, as cumulative curves. ${parts.join("; ")}. The table below has more figures.`;
}
