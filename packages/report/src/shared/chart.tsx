import { useEffect, useRef } from "preact/hooks";

import { useWidth } from "./width.js";

/** Draws a chart of that width (CSS pixels). */
export type Draw = (width: number) => Element;

interface ChartProps {
  readonly draw: Draw;
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  /** Called with what the pointer is at when it is pressed. */
  readonly onPick?: (value: unknown) => void;
}

/** Holds a chart of the plotting library, and has it drawn again when the width changes. */
export function Chart({ draw, label, onPick }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  useEffect(() => {
    if (width === 0) return;
    const plot = draw(width);
    // The label says it all; the library's names of marks would only be read out beside it.
    plot.setAttribute("aria-hidden", "true");
    host.current?.replaceChildren(plot);
  }, [draw, width]);
  const pick = () => {
    const [plot] = host.current?.children ?? [];
    // The library leaves what the pointer is at in `value`.
    if (plot !== undefined && "value" in plot && plot.value !== null) onPick?.(plot.value);
  };
  return <div class="chart" role="img" aria-label={label} ref={host} onClick={pick} />;
}
