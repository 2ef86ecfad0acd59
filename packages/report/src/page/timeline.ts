import * as Plot from "@observablehq/plot";

import { duration, timeAxis } from "../format.js";
import type { Span, Timeline } from "../result.js";

/** Height of an operation with its name above (px). */
const ROW = 34;
const MARGINS = 36;

interface Bar extends Span {
  readonly when: "Before" | "After";
  readonly row: number;
}

/** When each operation was under way, before and after, on one scale. */
export function timeline({ original, rewritten }: Timeline, width: number): Element {
  const data = [...bars(original, "Before"), ...bars(rewritten, "After")];
  const rows = Math.max(original.length, rewritten.length);
  const end = Math.max(...data.map(({ endMs }) => endMs));
  const { unit, tick } = timeAxis(end);
  // A name stands above its bar: from its start, or to its end where there is no room behind.
  const isLate = ({ startMs }: Span) => startMs > end / 2;
  return Plot.plot({
    width,
    height: 2 * rows * ROW + 2 * MARGINS,
    marginLeft: 60,
    marginRight: 16,
    marginTop: 16,
    marginBottom: 40,
    style: { fontSize: "12px" },
    x: { label: unit, labelOffset: 36, grid: true, ticks: width < 480 ? 3 : 6, tickFormat: tick },
    y: { axis: null, domain: Array.from({ length: rows }, (_, row) => row), padding: 0.1 },
    fy: { label: null, domain: ["Before", "After"], padding: 0.12, axis: "left" },
    marks: [
      Plot.barX(data, {
        ...{
          fy: "when",
          y: "row",
          x1: "startMs",
          x2: "endMs",
          insetTop: 16,
          insetBottom: 4,
          rx: 3,
        },
        fill: ({ when }: Bar) => (when === "Before" ? "var(--original)" : "var(--rewritten)"),
      }),
      names(
        data.filter((bar) => !isLate(bar)),
        "startMs",
        width,
      ),
      names(data.filter(isLate), "endMs", width),
    ],
  });
}

function names(bars: readonly Bar[], x: "startMs" | "endMs", width: number): Plot.Markish {
  return Plot.text(bars, {
    ...{ fy: "when", y: "row", x, dy: -9, fill: "var(--text)" },
    textAnchor: x === "startMs" ? "start" : "end",
    text: ({ label, startMs, endMs }: Bar) =>
      `${short(label, width)}  ${duration(endMs - startMs)}`,
  });
}

function bars(spans: readonly Span[], when: Bar["when"]): Bar[] {
  return spans.map((span, row) => ({ ...span, when, row }));
}

/** What fits at about seven pixels a letter, beside a bar that starts late. */
function short(label: string, width: number): string {
  const most = Math.max(12, Math.floor((width - 120) / 14));
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}
