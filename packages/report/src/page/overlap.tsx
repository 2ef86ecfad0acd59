import { useCallback } from "preact/hooks";

import { duration } from "../format.js";
import type { Span, Timeline } from "../result.js";
import { timelineSvg, took } from "../timeline.js";
import { Chart } from "../shared/chart.js";

/** When the operations of a place were under way, before and after, with what that comes to. */
export function Overlap({ timeline }: { timeline: Timeline }) {
  const draw = useCallback((width: number) => drawn(timelineSvg(timeline, width)), [timeline]);
  const { original, rewritten, test } = timeline;
  const [before, after] = [took(original), took(rewritten)];
  return (
    <figure>
      <figcaption>
        Measured in one run of “{test}”: {duration(before)} before,{" "}
        <strong>{duration(after)}</strong> after
      </figcaption>
      <Chart
        draw={draw}
        label={`${described("Before", original)} ${described("After", rewritten)}`}
      />
    </figure>
  );
}

function drawn(markup: string): Element {
  const { documentElement } = new DOMParser().parseFromString(markup, "image/svg+xml");
  return document.importNode(documentElement, true);
}

function described(when: string, spans: readonly Span[]): string {
  const parts = spans.map(
    ({ label, startMs, endMs }) => `${label} from ${duration(startMs)} to ${duration(endMs)}`,
  );
  return `${when} the rewrite: ${parts.join(", ")}.`;
}
