import {
  type Distribution,
  many,
  ofCounts,
  ofCurve,
  quantile,
  share,
  type Shapes,
  time,
  type TraceReport,
  type TraceView,
  whole,
  within,
} from "@headstart/report";

/** Places of the source that are printed. */
const PLACES = 15;
/** The most characters of a place. */
const PLACE_WIDTH = 44;

/**
 * What a trace shows, as text for a terminal.
 *
 * @param columns how wide that is
 */
export function traceTables(report: TraceReport, columns: number): string {
  const parts = [
    headline(report),
    placesTable(report, columns),
    distributions(report),
    subtrees("macrotasks only", report.macrotasks),
    subtrees("with microtasks", report.microtasks),
    report.notes.map((note) => `note: ${note}`).join("\n"),
  ];
  return `${printable(parts.filter((part) => part !== "").join("\n\n"))}\n`;
}

/**
 * A text without what would steer a terminal or turn its letters around: names of functions and files come from what was
 * recorded.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

function headline({ metadata, extent, threads, macrotasks, microtasks }: TraceReport): string {
  // A page is opened twice, and each of its threads is there twice.
  const second = threads.filter(({ name }) => name.startsWith("topology: ")).length;
  const count = second === threads.length ? second : threads.length - second;
  return (
    `${metadata.subject}: ${time(extent.duration)}, ${many(count, "thread")}, ` +
    `${many(macrotasks.continuations, "continuation")} ` +
    `(${whole(microtasks.continuations)} with microtasks), ${many(extent.events, "event")}.`
  );
}

function placesTable({ places, metadata }: TraceReport, columns: number): string {
  if (places.length === 0) return "";
  // The program's own come first.
  const own = places.filter((place) => place.own);
  const rows = (own.length > 0 ? own : places).slice(0, PLACES).map((place) => {
    const name = `${within(place.file, metadata.folder)}:${place.line}:${place.column}`;
    return [
      tail(name, PLACE_WIDTH),
      place.kind,
      whole(place.runs),
      time(place.waited),
      time(place.medianGap),
      share(place.interrupted, place.gaps),
      share(place.interruptedByOtherTree, place.gaps),
    ];
  });
  const head = ["place", "kind", "runs", "waited", "median", "interrupted", "by others"];
  const left = places.length - rows.length;
  const more = left > 0 ? `\n  and ${many(left, "more place")}, with those in packages` : "";
  return `Where it waits the longest, over all runs:\n${table([head, ...rows], 2, columns)}${more}`;
}

function distributions(report: TraceReport): string {
  const head = ["", "n", "25%", "median", "75%", "99%"];
  const { batches } = report;
  const rows = [
    ...viewRows("macrotasks only", report.macrotasks),
    ...viewRows("with microtasks", report.microtasks),
    ["microtask batches"],
    row("time", ofCurve(batches.time), time),
    row("microtasks in one", ofCounts(batches.size), whole),
  ];
  // A distribution of nothing says nothing.
  return table([head, ...rows.filter(([, total]) => total !== "0")], 1);
}

function viewRows(title: string, view: TraceView): string[][] {
  const { durations, gaps, chains, concurrency, branching } = view;
  return [
    [title],
    row("duration, run once", ofCurve(durations.once), time),
    row("duration, recurring", ofCurve(durations.recurring), time),
    row("gap, uninterrupted", ofCurve(gaps.uninterrupted), time),
    row("gap, interrupted by its own tree", ofCurve(gaps.interruptedByOwnTree), time),
    row("gap, interrupted by another tree", ofCurve(gaps.interruptedByOtherTree), time),
    ...chains.map(({ length, time: curve }) => row(`chain of ${length}`, ofCurve(curve), time)),
    row("registered and still to run", ofCounts(concurrency.live), whole),
    row("children", ofCounts(branching.once), whole),
  ];
}

function row(name: string, values: Distribution, shown: (value: number) => string): string[] {
  const points = [0.25, 0.5, 0.75, 0.99].map((part) => quantile(values, part));
  const cells = points.map((point) => (point === undefined ? "" : shown(point)));
  return [`  ${name}`, whole(values.count), ...cells];
}

function subtrees(title: string, view: TraceView): string {
  if (view.subtrees.every(([, { total }]) => total === 0)) return "";
  const shapes = ["linear", "multi", "contained"].flatMap((name) => [name, "strict"]);
  const head = ["limit", "total", ...shapes];
  const rows = view.subtrees.map(([limit, shapes]) => [time(limit), ...shapeCells(shapes)]);
  return `Potentially atomic subtrees, ${title}:\n${table([head, ...rows], 0)}`;
}

function shapeCells(shapes: Shapes): string[] {
  const { total, linearLoose, linearStrict, multiLoose, multiStrict } = shapes;
  const { containedLoose, containedStrict } = shapes;
  const parts = [
    linearLoose,
    linearStrict,
    multiLoose,
    multiStrict,
    containedLoose,
    containedStrict,
  ];
  return [whole(total), ...parts.map((it) => share(it, total))];
}

/** Rows as columns of one width each, the first `left` of them flush left. */
function table(rows: readonly (readonly string[])[], left: number, columns = Infinity): string {
  const widths: number[] = [];
  for (const cells of rows) {
    // A title alone in its row is as wide as it is.
    if (cells.length === 1) continue;
    cells.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  }
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) =>
        at < left ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return rows.map((cells) => `  ${line(cells)}`.slice(0, columns)).join("\n");
}

function tail(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(1 - width)}`;
}
