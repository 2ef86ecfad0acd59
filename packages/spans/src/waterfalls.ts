import { type Group, Kins, type Names } from "./kin.js";
import { type Repeated, runsOf } from "./runs.js";
import type { Place } from "./span.js";
import type { SpanTable } from "./span-table.js";
import type { Tree } from "./tree.js";

/** One of the operations of a waterfall. */
export interface Step {
  readonly name: string;
  /** Where it was started, if the trace says so: of several calls below one another, the one by which the steps differ. */
  readonly place: Place | undefined;
  /** All calls that have led there, the innermost first. */
  readonly calls: readonly Place[];
  /** How often it ran one after the other, on average. */
  readonly times: number;
  /** How long it takes, all its times together, on average, in milliseconds. */
  readonly duration: number;
  /** When it begins, from the begin of the first one, in the longest instance. */
  readonly startOfLongest: number;
  /** How long it took there, from its first begin to its last end. */
  readonly durationOfLongest: number;
}

/** Operations of one parent that ran one after the other, and that overlap in hardly any other instance. */
export interface Waterfall {
  /** The name of the parent; empty where the trace lacks it. */
  readonly parent: string;
  /** The name of the topmost span above, such as the route of a request. */
  readonly root: string;
  /** How often it was seen. */
  readonly count: number;
  /** How long all would take less if all ran at once: what is above the longest of them, over all instances, in ms. */
  readonly saved: number;
  /** The share of the parents' own time that this is; 0 where they are not known. */
  readonly share: number;
  readonly steps: readonly Step[];
}

/** What came of a trace. */
export interface Waterfalls {
  readonly waterfalls: readonly Waterfall[];
  /** Spans whose parents are not in the trace. */
  readonly orphans: number;
  /** Spans that were started at a known place. */
  readonly placed: number;
}

/** Less than this many milliseconds is nothing. */
const NOTHING = 1e-6;

/**
 * Finds siblings that never overlap: operations that one span has started one after the other has ended. Only those are looked
 * at whose clock is that of the parent: not what other processes say of the same call.
 */
export function findWaterfalls(tree: Tree): Waterfalls {
  const { table } = tree;
  const kins = new Kins(table);
  for (const rows of tree.families()) {
    const runs = runsOf(table, rows);
    if (runs.length === 0) continue;
    const kin = kins.of(namesAbove(tree, rows));
    kin.neighbours.add(runs);
    for (const run of runs) add(kin.groupOf(run), tree, run);
  }
  for (const rows of tree.families()) kins.find(namesAbove(tree, rows))?.neighbours.look(rows);
  const found = kins.groups.filter(
    ({ saved, kin, run }) => saved > NOTHING && !kin.neighbours.overlap(run),
  );
  return {
    waterfalls: found
      .map((group) => waterfall(table, group))
      .sort((one, other) => other.saved - one.saved),
    orphans: tree.orphans,
    placed: tree.placed,
  };
}

function namesAbove(tree: Tree, [first = 0]: readonly number[]): Names {
  const above = tree.parentOf(first);
  const root = tree.rootOf(first);
  return {
    parent: above === undefined ? "" : tree.table.name(above),
    root: root === first ? "" : tree.table.name(root),
  };
}

function add(group: Group, tree: Tree, run: readonly Repeated[]): void {
  const [first] = run;
  if (first === undefined) return;
  const above = tree.parentOf(first.row);
  let [total, longest] = [0, 0];
  for (const it of run) {
    total += it.sum;
    longest = Math.max(longest, it.longest);
  }
  const saved = total - longest;
  group.count++;
  group.saved += saved;
  group.parents += above === undefined ? 0 : tree.table.duration(above);
  const isLongest = saved > group.longest;
  if (isLongest) group.longest = saved;
  for (const [at, { row, times, sum, start, end }] of run.entries()) {
    const step = (group.steps[at] ??= { row, times: 0, sum: 0, start: 0, length: 0 });
    step.times += times;
    step.sum += sum;
    if (!isLongest) continue;
    step.row = row;
    step.start = start - first.start;
    step.length = end - start;
  }
}

function waterfall(table: SpanTable, group: Group): Waterfall {
  const { kin, count, saved, parents, steps } = group;
  const all = steps.map(({ row }) => callsOf(table.place(row)));
  const places = partingCalls(all);
  return {
    ...{ ...kin.names, count, saved, share: parents === 0 ? 0 : Math.min(1, saved / parents) },
    steps: steps.map(({ row, times, sum, start, length }, at) => ({
      name: table.name(row),
      place: places[at],
      calls: all[at] ?? [],
      times: times / count,
      duration: sum / count,
      startOfLongest: start,
      durationOfLongest: length,
    })),
  };
}

/** All calls that have led to a place, the innermost first. */
export function callsOf(place: Place | undefined): readonly Place[] {
  return place === undefined ? [] : [place, ...place.callers];
}

/**
 * The call of each step by which it differs from the others: the one just inside of what all of them have in common, seen from
 * outside. There stands what waits for one after the other. The outermost calls of the first are none of the others', which go on
 * after a pause.
 */
export function partingCalls(all: readonly (readonly Place[])[]): (Place | undefined)[] {
  const isCommon = (call: Place): boolean =>
    all.every((calls) => calls.some((other) => isSame(call, other)));
  return all.map((calls) => {
    let at = calls.findLastIndex(isCommon);
    for (let inner = calls[at - 1]; inner !== undefined && isCommon(inner);)
      inner = calls[--at - 1];
    return calls[at - 1] ?? calls[0];
  });
}

/** A call and an `await` of it stand in one line, at different columns. */
function isSame(one: Place, other: Place): boolean {
  return one.file === other.file && one.line === other.line;
}
