import { mean, sampleStandardDeviation } from "simple-statistics";

import { moments } from "./moments.js";
import { resamples } from "./random.js";
import { degreesOfFreedom, reach95 } from "./welch.js";

/** Resamples for one interval. */
const RESAMPLES = 1999;

/** Runs of each program without which there is no interval. */
export const FEWEST_RUNS = 5;

/** The ends of an interval. */
export type Interval = readonly [low: number, high: number];

/** The times of one test, in the order of the runs. */
export interface Pair {
  readonly original: readonly number[];
  readonly rewritten: readonly number[];
}

/** The times of all tests of one program: one row for each test, all as long. */
type Program = readonly Float64Array[];

/**
 * 95% interval of the geometric mean over `tests` of the ratio of their mean times: the bootstrap's
 * standard error of its logarithm, as many times as Student's t says. With few, skewed times it
 * keeps what it promises where percentile, BCa and bootstrap-t intervals do not (docs/report.md has
 * the figures).
 *
 * Whole runs are drawn, all tests of a run together: what slows a run down slows all of its tests,
 * so that their times are not independent.
 *
 * @param step one step of the clock, in the unit of the times
 * @returns `null` with fewer than {@link FEWEST_RUNS}, or where no time varies
 */
export function ratioInterval(tests: readonly Pair[], step: number): Interval | null {
  const before = aligned(tests.map(({ original }) => original));
  const after = aligned(tests.map(({ rewritten }) => rewritten));
  const [runs1, runs2] = [before[0]?.length ?? 0, after[0]?.length ?? 0];
  if (Math.min(runs1, runs2) < FEWEST_RUNS) return null;
  const error = Math.hypot(
    errorOfLogMean(before, step) * smallSample(runs1),
    errorOfLogMean(after, step) * smallSample(runs2),
  );
  const reading = Math.hypot(errorOfReading(before, step), errorOfReading(after, step));
  const reach = Math.max(error, reading) * reach95(degrees(before, after));
  if (!(reach > 0)) return null;
  const all = (runs: number) => Uint32Array.from({ length: runs }, (_, run) => run);
  const centre = logMean(after, step, all(runs2)) - logMean(before, step, all(runs1));
  return [Math.exp(centre - reach), Math.exp(centre + reach)];
}

/**
 * Rows of one length: that of the shortest. Where a test ran several times in a run, those times
 * are next to each other, and their mean stands for the run.
 */
function aligned(rows: readonly (readonly number[])[]): Program {
  const runs = rows.reduce((least, row) => Math.min(least, row.length), Infinity);
  if (!Number.isFinite(runs) || runs === 0) return [];
  return rows.map((row) => {
    if (row.length === runs) return Float64Array.from(row);
    const start = (run: number) => Math.floor((run * row.length) / runs);
    return Float64Array.from({ length: runs }, (_, run) =>
      mean(row.slice(start(run), start(run + 1))),
    );
  });
}

/** Mean over the tests of the logarithm of their mean times, in those runs. */
function logMean(program: Program, step: number, runs: Uint32Array): number {
  const count = runs.length;
  let logs = 0;
  for (const row of program) {
    let sum = 0;
    // By index, since nearly all the time of an import is spent here: iterators take twice as long.
    for (let i = 0; i < count; i++) sum += row[runs[i] ?? 0] ?? 0;
    // A mean of 0 only says that it is less than the clock can show.
    logs += Math.log(Math.max(sum, step) / count);
  }
  return logs / program.length;
}

/** Standard error of {@link logMean}, from resamples of the runs. */
function errorOfLogMean(program: Program, step: number): number {
  const picked = resamples(program[0]?.length ?? 0, RESAMPLES);
  return sampleStandardDeviation(picked.map((runs) => logMean(program, step, runs)));
}

/** The bootstrap divides by the number of runs where an unbiased variance has one less. */
function smallSample(runs: number): number {
  return Math.sqrt(runs / (runs - 1));
}

/** Standard error from the clock alone: a reading is off by up to half a step. */
function errorOfReading(program: Program, step: number): number {
  const errors = program.map((row) => step ** 2 / 12 / (row.length * mean([...row]) ** 2));
  return Math.sqrt(errors.reduce((sum, error) => sum + error, 0)) / program.length;
}

/** Degrees of freedom, from how much runs differ: each run as the mean of its tests' shares. */
function degrees(before: Program, after: Program): number {
  const [a, b] = [before, after].map((program) => {
    const means = program.map((row) => mean([...row]));
    const shares = [...(program[0] ?? [])].map((_, run) =>
      mean(program.map((row, test) => (row[run] ?? NaN) / (means[test] ?? NaN))),
    );
    return moments(shares);
  });
  if (a === undefined || b === undefined) return NaN;
  const [partA, partB] = [a.variance / a.count, b.variance / b.count];
  if (partA + partB === 0) return Math.min(a.count, b.count) - 1;
  return degreesOfFreedom(partA, a.count, partB, b.count);
}
