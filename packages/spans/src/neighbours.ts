import { isAhead } from "./line.js";
import { type Repeated, runsOf } from "./runs.js";
import type { SpanTable } from "./span-table.js";

/** Where two overlap in a larger share of the parents that have started them, nobody waits for the other. */
const MOST_OVERLAPPING = 0.1;

/** In how many families two sorts of spans came one after the other, and in how many they only overlapped. */
interface Counts {
  apart: number;
  overlapping: number;
  /** The last family in which they came one after the other, and the last in which they overlapped: each counts once. */
  lastApart: number;
  lastOverlapping: number;
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
  /** How many families have been taken so far; each has this number then. */
  private families = 0;

  constructor(private readonly table: SpanTable) {}

  /** Takes what comes one after the other in a family. */
  add(runs: readonly (readonly Repeated[])[]): void {
    this.families++;
    for (const pair of this.pairsOf(runs)) {
      if (pair.lastApart !== this.families) pair.apart++;
      pair.lastApart = this.families;
    }
  }

  /** Takes what overlaps in a family; to be called once all of them have been added. */
  look(family: readonly number[]): void {
    if (!this.overlaps(family)) return;
    this.families++;
    const found: Counts[] = [];
    const last = new Map<number, Extent>();
    for (const row of family) {
      const [start, end] = [this.table.start(row), this.table.end(row)];
      const sort = this.table.sort(row);
      for (const counts of this.beside(sort, start, last)) {
        if (counts.lastOverlapping !== this.families) found.push(counts);
        counts.lastOverlapping = this.families;
      }
      if ((last.get(sort)?.end ?? -Infinity) < end) last.set(sort, { start, end });
    }
    if (found.length === 0) return;
    for (const pair of this.pairsOf(runsOf(this.table, family))) pair.lastApart = this.families;
    for (const pair of found) if (pair.lastApart !== this.families) pair.overlapping++;
  }

  /** Whether any of a family, by their begin, begins before another has ended: in most families none does. */
  private overlaps(family: readonly number[]): boolean {
    let end = -Infinity;
    for (const row of family) {
      if (isAhead(this.table.start(row), { end })) return true;
      end = Math.max(end, this.table.end(row));
    }
    return false;
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
    return this.pairsOf([run]).some(
      ({ apart, overlapping }) => overlapping > MOST_OVERLAPPING * (apart + overlapping),
    );
  }

  /** The pairs of what is beside one another in runs; those that are so several times are there several times. */
  private pairsOf(runs: readonly (readonly Repeated[])[]): Counts[] {
    const found: Counts[] = [];
    for (const run of runs) {
      let before: Repeated | undefined;
      for (const one of run) {
        if (before !== undefined) found.push(this.pair(before.sort, one.sort));
        if (one.times > 1) found.push(this.pair(one.sort, one.sort));
        before = one;
      }
    }
    return found;
  }

  private pair(one: number, other: number): Counts {
    let counts = this.counts.get(one)?.get(other);
    if (counts === undefined) {
      counts = { apart: 0, overlapping: 0, lastApart: 0, lastOverlapping: 0 };
      this.of(one).set(other, counts);
      this.of(other).set(one, counts);
    }
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
