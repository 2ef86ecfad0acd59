import * as Plot from "@observablehq/plot";

import { steps } from "../trace/distribution.js";
import { share, whole } from "../trace/format.js";
import { position, ticks, type Axis } from "./axis.js";
import { labels, OFFSET, type Label } from "./curve-labels.js";
import type { Figure, Line } from "./figure-list.js";

/** Whether a curve shows parts of its own total, or numbers. */
export type Scale = "share" | "number";

/** How lines are told apart: by colour, by dashes, and by their labels. */
export const STYLES: readonly { readonly stroke: string; readonly dash: string }[] = [
  { stroke: "var(--line-1)", dash: "none" },
  { stroke: "var(--line-2)", dash: "7 3" },
  { stroke: "var(--line-3)", dash: "2 3" },
  { stroke: "var(--line-4)", dash: "10 3 2 3" },
];

const MARGIN = { left: 46, right: 20, top: 12, bottom: 42 } as const;

/** A point of a curve. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly title: string;
}

/** A curve as it is drawn. */
export interface Drawn {
  readonly name: string;
  /** Its place among the lines of the figure, which its style goes by. */
  readonly number: number;
  readonly points: readonly Point[];
}

/** Cumulative curves on a logarithmic axis. */
export function curveChart(figure: Figure, scale: Scale, width: number): Element {
  const { axis } = figure;
  const [inner, height] = [width - MARGIN.left - MARGIN.right, 250];
  const curves = figure.lines.flatMap((line, number) =>
    line.distribution.count === 0 ? [] : [drawn(line, number, axis, scale, inner)],
  );
  const top = Math.max(1, ...curves.flatMap(({ points }) => points.map(({ y }) => y)));
  const size = { width: inner, height: height - MARGIN.top - MARGIN.bottom, top };
  return Plot.plot({
    ...{ width, height, style: { fontSize: "12px" } },
    ...{ marginLeft: MARGIN.left, marginRight: MARGIN.right },
    ...{ marginTop: MARGIN.top, marginBottom: MARGIN.bottom },
    x: {
      type: axis.kind,
      domain: [axis.least, axis.most],
      ...(axis.kind === "symlog" && { constant: 1 }),
      label: axis.label,
      labelOffset: 38,
      ticks: ticks(axis, inner),
      tickFormat: (value: number) =>
        value === axis.least && axis.kind === "log" && value < 1
          ? `≤ ${axis.text(value)}`
          : axis.text(value),
    },
    y: {
      ...{ domain: [0, top], label: null, grid: true, ticks: 5 },
      tickFormat: scale === "share" ? (value: number) => `${Math.round(100 * value)}%` : compact,
    },
    marks: [...curves.flatMap(curveMarks), ...labelMarks(labels(curves, axis, size)), tip(curves)],
  });
}

function drawn(line: Line, number: number, axis: Axis, scale: Scale, width: number): Drawn {
  const { name, distribution } = line;
  const place = (value: number) => position(axis, value) * width;
  const points = steps(distribution, axis.least, place).map(([x, below]) => ({
    x,
    y: scale === "share" ? below / distribution.count : below,
    title: `${name}: ${share(below, distribution.count)}\n${whole(below)} at most ${axis.text(x)}`,
  }));
  return { name, number, points };
}

function curveMarks({ number, points }: Drawn): Plot.Markish[] {
  const { stroke, dash } = STYLES[number] ?? { stroke: "currentColor", dash: "none" };
  const at = { x: "x", y: "y" } as const;
  return [
    Plot.line(points, {
      ...{ ...at, stroke, strokeWidth: 2, strokeDasharray: dash },
      ...{ curve: "step-after", className: "curve" },
    }),
    Plot.dot(points.slice(-1), { ...at, fill: stroke, r: 3 }),
  ];
}

function labelMarks(found: readonly Label[]): Plot.Markish[] {
  return found.map(({ x, y, text, number, side: { isLeft, isAbove } }) => {
    return Plot.text([{ x, y }], {
      ...{ x: "x", y: "y", text: () => text, fontWeight: 600 },
      ...{ dx: isLeft ? -OFFSET : OFFSET, dy: isAbove ? -OFFSET : OFFSET },
      ...{ textAnchor: isLeft ? "end" : "start", fill: STYLES[number]?.stroke ?? "currentColor" },
      ...{ stroke: "var(--card)", strokeWidth: 4 },
    });
  });
}

function tip(curves: readonly Drawn[]): Plot.Markish {
  const points = curves.flatMap((curve) => curve.points);
  const look = { fill: "var(--card)", stroke: "var(--line)" } as const;
  return Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: "title", ...look }));
}

/** A whole number at an axis: `12K`. */
function compact(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en-US", { notation: "compact" }) : "";
}
