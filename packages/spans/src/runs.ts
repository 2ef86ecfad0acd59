import { isBehind } from "./line.js";
import type { SpanTable } from "./span-table.js";

/** The most steps of one waterfall, before loops are folded. */
const MOST_STEPS = 400;

/** Spans of one parent that overlap, or one by itself. */
interface Stage {
  readonly sort: number;
  readonly row: number;
  start: number;
  end: number;
  members: number;
}

/** Stages of the same sort without another between. */
export interface Repeated {
  readonly row: number;
  readonly sort: number;
  times: number;
  /** The sum of their durations, and the longest. */
  sum: number;
  longest: number;
  readonly start: number;
  end: number;
}

/** Stretches of siblings that come one after the other, two at least. */
export function runsOf(table: SpanTable, rows: readonly number[]): Repeated[][] {
  const stages: Stage[] = [];
  for (const row of rows) {
    const [start, end] = [table.start(row), table.end(row)];
    const last = stages.at(-1);
    if (last !== undefined && !isBehind(start, last)) {
      last.members++;
      last.end = Math.max(last.end, end);
    } else {
      stages.push({ sort: table.sort(row), row, start, end, members: 1 });
    }
  }
  const runs: Repeated[][] = [];
  let run: Repeated[] = [];
  for (const stage of stages) {
    // What overlaps already is no part of a waterfall; what is around it may be.
    if (stage.members > 1) {
      runs.push(run);
      run = [];
    } else {
      repeat(run, stage);
    }
  }
  runs.push(run);
  return runs.map(folded).filter((it) => it.length > 1 || (it[0]?.times ?? 0) > 1);
}

/** The most steps of a loop that are recognised as such. */
const LONGEST_TURN = 8;

/** A run in which what comes again and again in the same order, as in a loop, stands once. */
function folded(run: readonly Repeated[]): Repeated[] {
  const result: Repeated[] = [];
  for (let at = 0; at < run.length;) {
    const [period, turns] = turnsAt(run, at);
    for (let step = 0; step < period; step++) {
      const first = run[at + step];
      if (first === undefined) continue;
      for (let turn = 1; turn < turns; turn++) {
        const other = run[at + turn * period + step];
        if (other !== undefined) merge(first, other);
      }
      result.push(first);
    }
    at += period * turns;
  }
  return result;
}

/** How many steps come again at a place of a run, and how often in all; the shortest that does. */
function turnsAt(run: readonly Repeated[], at: number): [period: number, turns: number] {
  const longest = Math.min(LONGEST_TURN, (run.length - at) >> 1);
  for (let period = 2; period <= longest; period++) {
    let end = at + period;
    while (end < run.length && run[end]?.sort === run[end - period]?.sort) end++;
    const turns = Math.floor((end - at) / period);
    if (turns > 1) return [period, turns];
  }
  return [1, 1];
}

function merge(into: Repeated, { times, sum, longest, end }: Repeated): void {
  into.times += times;
  into.sum += sum;
  into.longest = Math.max(into.longest, longest);
  into.end = end;
}

function repeat(run: Repeated[], { row, sort, start, end }: Stage): void {
  const last = run.at(-1);
  const duration = end - start;
  if (last?.sort === sort) {
    merge(last, { row, sort, times: 1, sum: duration, longest: duration, start, end });
  } else if (run.length < MOST_STEPS) {
    run.push({ row, sort, times: 1, sum: duration, longest: duration, start, end });
  }
}
