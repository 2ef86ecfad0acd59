import { isAhead } from "./line.js";
import { type Repeated, runsOf } from "./runs.js";
import type { SpanTable } from "./span-table.js";

/** Where two overlap in a larger share of the parents that have started them, nobody waits for the other. */
const MOST_OVERLAPPING = 0.1;

/** In how many families two sorts of spans came one after the other, and in how many they only overlapped. */
interface Counts {
  apart: number;
  overlapping: number;
}

/** When a span began, and when it ended. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Sorts of spans of parents of one name that come one after the other somewhere, and whether they do it everywhere. */
export class Neighbours {
  /** For each sort those beside it; each pair is in it twice. */
  private readonly counts = new Map<number, Map<number, Counts>>();

  constructor(private readonly table: SpanTable) {}

  /** Takes what comes one after the other in a family. */
  add(runs: readonly (readonly Repeated[])[]): void {
    for (const pair of this.pairsOf(runs)) pair.apart++;
  }

  /** Takes what overlaps in a family; to be called once all of them have been added. */
  look(family: readonly number[]): void {
    const found = new Set<Counts>();
    const last = new Map<number, Extent>();
    for (const row of family) {
      const [start, end] = [this.table.start(row), this.table.end(row)];
      const sort = this.table.sort(row);
      for (const counts of this.beside(sort, start, last)) found.add(counts);
      if ((last.get(sort)?.end ?? -Infinity) < end) last.set(sort, { start, end });
    }
    if (found.size === 0) return;
    for (const pair of this.pairsOf(runsOf(this.table, family))) found.delete(pair);
    for (const pair of found) pair.overlapping++;
  }

  /** The pairs of a sort with those that have not ended at a time. */
  private *beside(
    sort: number,
    time: number,
    last: ReadonlyMap<number, Extent>,
  ): Generator<Counts> {
    const pairs = this.counts.get(sort);
    if (pairs === undefined) return;
    // Where names have numbers in them, one sort may have very many beside it.
    const others = pairs.size < last.size ? pairs.keys() : last.keys();
    for (const other of others) {
      const [counts, before] = [pairs.get(other), last.get(other)];
      if (counts === undefined || before === undefined) continue;
      if (isAhead(time, before)) yield counts;
    }
  }

  /** Whether any two that are beside one another in a run overlap too often to be a waterfall. */
  overlap(run: readonly Repeated[]): boolean {
    return [...this.pairsOf([run])].some(
      ({ apart, overlapping }) => overlapping > MOST_OVERLAPPING * (apart + overlapping),
    );
  }

  private pairsOf(runs: readonly (readonly Repeated[])[]): Set<Counts> {
    const found = new Set<Counts>();
    for (const run of runs) {
      run.forEach(({ sort, times }, at) => {
        const next = run[at + 1];
        if (times > 1) found.add(this.pair(sort, sort));
        if (next !== undefined) found.add(this.pair(sort, next.sort));
      });
    }
    return found;
  }

  private pair(one: number, other: number): Counts {
    const counts = this.of(one).get(other) ?? { apart: 0, overlapping: 0 };
    this.of(one).set(other, counts);
    this.of(other).set(one, counts);
    return counts;
  }

  private of(sort: number): Map<number, Counts> {
    let of = this.counts.get(sort);
    if (of === undefined) {
      of = new Map();
      this.counts.set(sort, of);
    }
    return of;
  }
}
