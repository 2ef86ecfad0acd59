import { ofCounts, ofCurve, type Distribution } from "../trace/distribution.js";
import { whole } from "../trace/format.js";
import type { Counts, Curve, TraceBatches, TraceReport, TraceView } from "../trace/report.js";
import type { View } from "./app.js";
import { countAxis, sizeAxis, timeAxis, type Axis } from "./axis.js";

/** A line of a figure. */
export interface Line {
  readonly name: string;
  readonly distribution: Distribution;
}

/** A cumulative curve, or several. */
export interface Figure {
  readonly id: string;
  readonly title: string;
  /** What it shows. */
  readonly text: string;
  readonly axis: Axis;
  readonly lines: readonly Line[];
}

type Named<Values> = readonly (readonly [name: string, values: Values])[];

/** All figures of a view. */
export function figures(report: TraceReport, view: View): Figure[] {
  const measures = report[view];
  return [
    ...(measures.timed ? [durations(measures), gaps(measures), chains(measures)] : []),
    ...batches(report.batches),
    concurrency(measures),
    branching(measures),
  ];
}

function durations({ durations: { once, recurring, own } }: TraceView): Figure {
  return {
    id: "durations",
    title: "How long continuations run",
    text: "From beginning to end. Own is all of them, without the time in which others ran inside.",
    ...times([
      ["once", once],
      ["recurring", recurring],
      ["own", own],
    ]),
  };
}

function gaps({ gaps: found }: TraceView): Figure {
  const { uninterrupted, interruptedByOwnTree, interruptedByOtherTree, recurring, inside } = found;
  const before =
    inside === 0
      ? ""
      : ` ${whole(inside)} more began before that end: ${inside === 1 ? "it has" : "they have"} no gap.`;
  return {
    id: "gaps",
    title: "How long they wait",
    text:
      "Gaps: from the end of a continuation to the beginning of what it registered, by what ran " +
      `in between.${before}`,
    ...times([
      ["uninterrupted", uninterrupted],
      ["own tree", interruptedByOwnTree],
      ["another tree", interruptedByOtherTree],
      ["recurring", recurring],
    ]),
  };
}

function chains({ chains: found }: TraceView): Figure {
  return {
    id: "chains",
    title: "How long chains take",
    text:
      "From the beginning of the first continuation to the end of the last, each registered by the " +
      "one before it, none recurring.",
    ...times(found.map(({ length, time }) => [`${length} in a row`, time])),
  };
}

function batches({ time, size }: TraceBatches): Figure[] {
  const both =
    "Microtasks that run one after the other, while the host has to wait. The same in both views.";
  return [
    {
      id: "batch-time",
      title: "How long batches of microtasks take",
      text: both,
      ...times([["batches", time]]),
    },
    {
      id: "batch-size",
      title: "How many microtasks are in a batch",
      text: both,
      ...numbers([["batches", size]], sizeAxis),
    },
  ];
}

function concurrency({ concurrency: { live, withCancelled } }: TraceView): Figure {
  return {
    id: "concurrency",
    title: "How much else is pending",
    text:
      "For each continuation that runs once: how many that were registered before it run after it. " +
      "With cancelled also counts those that never ran.",
    ...numbers([
      ["that will run", live],
      ["with cancelled", withCancelled],
    ]),
  };
}

function branching({ branching: { once, recurring } }: TraceView): Figure {
  return {
    id: "branching",
    title: "How many others a continuation registers",
    text: "Only those that came to run. None is the end of a chain, one continues it, more are branches.",
    ...numbers([
      ["once", once],
      ["recurring", recurring],
    ]),
  };
}

function times(curves: Named<Curve>): Pick<Figure, "axis" | "lines"> {
  const lines = curves.map(([name, curve]) => ({ name, distribution: ofCurve(curve) }));
  return { axis: timeAxis(longest(lines)), lines };
}

function numbers(counts: Named<Counts>, axis = countAxis): Pick<Figure, "axis" | "lines"> {
  const lines = counts.map(([name, values]) => ({ name, distribution: ofCounts(values) }));
  return { axis: axis(longest(lines)), lines };
}

function longest(lines: readonly Line[]): number {
  return Math.max(0, ...lines.map(({ distribution }) => distribution.max));
}
