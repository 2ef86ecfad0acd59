import { atMost, ofCurve, quantile, together } from "./distribution.js";
import { many, moment, share, shortened, size, time, whole, within } from "./format.js";
import type { TracePlace, TraceReport, TraceView } from "./report.js";

/** Gaps up to this are short: it takes luck for anything to come in between (milliseconds). */
const SHORT = 1;
/** A smaller part of short gaps that another tree comes into is one that tests may never show. */
const SELDOM = 0.1;
/** The limit of the subtrees that are summed up. */
const LIMIT = 10;

/** A sentence or two about one thing, which the first words name. */
export interface Point {
  readonly word: string;
  readonly text: string;
}

/** A number that stands out. */
export type Fact = readonly [name: string, figure: string];

/** The most important numbers. */
export function facts({ extent, threads, macrotasks, microtasks }: TraceReport): Fact[] {
  return [
    ["recorded", time(extent.duration)],
    [threads.length === 1 ? "thread" : "threads", whole(threads.length)],
    ["continuations", whole(microtasks.continuations)],
    ["macrotasks", whole(macrotasks.continuations)],
    ["events", whole(extent.events)],
  ];
}

/** Who recorded what, when, and into what. */
export function origin({ metadata, extent }: TraceReport): string {
  const { recorder, started, folder } = metadata;
  const where = folder === undefined ? "" : ` in ${shortened(folder, 200)}`;
  return `Recorded by ${shortened(recorder, 100)} on ${moment(started)}${where} (${size(extent.bytes)}).`;
}

/** What a trace shows, in a few sentences. Microtasks count, as everywhere but in one of the views. */
export function summary(report: TraceReport): Point[] {
  const { microtasks } = report;
  if (microtasks.continuations === 0) {
    return [{ word: "Nothing ran", text: "There is no continuation in this recording." }];
  }
  const view = timedView(report);
  const points = [runs(report), gaps(view), luck(view), places(report), groups(view)];
  return points.filter((point) => point !== undefined);
}

/** The finest view with times. */
export function timedView({ macrotasks, microtasks }: TraceReport): TraceView {
  return microtasks.timed ? microtasks : macrotasks;
}

function runs(report: TraceReport): Point {
  const { durations } = timedView(report);
  const all = together([ofCurve(durations.once), ofCurve(durations.recurring)]);
  const [half, most] = [quantile(all, 0.5) ?? 0, quantile(all, 0.99) ?? 0];
  return {
    word: "It runs",
    text:
      `${what(report)} Half of them run for at most ${time(half)}, 99% for at most ${time(most)}; ` +
      `the longest took ${time(all.max)}. Together they ran for ${time(durations.own.sum)}.`,
  };
}

function what({ macrotasks, microtasks }: TraceReport): string {
  const entries = many(macrotasks.continuations, "macrotask");
  return microtasks.timed
    ? `${many(microtasks.continuations, "continuation")}, stretches of JavaScript that nothing interrupts, in ${entries}.`
    : `${entries}, each with the microtasks that follow it.`;
}

function gaps({
  gaps: { uninterrupted, interruptedByOwnTree, interruptedByOtherTree },
}: TraceView) {
  const [own, other] = [interruptedByOwnTree.count, interruptedByOtherTree.count];
  const count = uninterrupted.count + own + other;
  if (count === 0) return undefined;
  return {
    word: "It waits",
    text:
      `${whole(count)} times a continuation had to wait after the one that registered it had ended ` +
      `(recurring ones apart). ${share(own + other, count)} of these gaps were interrupted: something ` +
      `else ran in between. ${ofOthers(other, count)}`,
  };
}

function ofOthers(other: number, count: number): string {
  if (other === 0) return "Never was that something of another tree.";
  return `In ${share(other, count)} that was something of another tree, such as another request.`;
}

function luck({
  gaps: { uninterrupted, interruptedByOwnTree, interruptedByOtherTree },
}: TraceView) {
  const short = (curve: typeof uninterrupted) => atMost(ofCurve(curve), SHORT);
  const [own, other] = [short(interruptedByOwnTree), short(interruptedByOtherTree)];
  const count = short(uninterrupted) + own + other;
  if (count === 0) return undefined;
  return {
    word: "Short gaps",
    text:
      `Of the ${whole(count)} gaps of at most ${time(SHORT)}, ${share(own + other, count)} were ` +
      `interrupted, ${share(other, count)} by another tree. ${moral(other / count)}`,
  };
}

/** What a part of short gaps that another tree came into says of code that relies on none. */
function moral(part: number): string {
  if (part === 0) return "That no other tree came in between here does not mean that none can.";
  if (part >= SELDOM) return "Code that relies on none coming in between is often wrong.";
  return (
    "Code that relies on none coming in between is right most of the time, so that tests seldom " +
    "show that it is wrong."
  );
}

function places({ places: [first], metadata }: TraceReport): Point | undefined {
  if (first === undefined) return undefined;
  return {
    word: "Longest",
    text:
      `at ${placeName(first, metadata.folder)} (${shortened(first.kind, 60)}) it waited ` +
      `${time(first.waited)} over ${many(first.runs, "run")}; half of the gaps there are at most ` +
      `${time(first.medianGap)}.`,
  };
}

function groups({ subtrees }: TraceView): Point | undefined {
  const [, shapes] = subtrees.find(([limit]) => limit === LIMIT) ?? [];
  if (shapes === undefined || shapes.total === 0) return undefined;
  return {
    word: "Close together",
    text:
      `${many(shapes.total, "group")} of continuations that lead to each other began and ended ` +
      `within ${time(LIMIT)}: who wrote them may take each for one step. ` +
      `${share(shapes.linearLoose, shapes.total)} of them are plain chains without branches.`,
  };
}

/** `file:line:column`, with a file that the folder of the program is left out of. */
export function placeName({ file, line, column }: TracePlace, folder: string | undefined): string {
  return `${shortened(within(file, folder), 160)}:${line}:${column}`;
}
