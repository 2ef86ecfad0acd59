import type { MeasuredTest, TestResult, TestStatistics } from "@headstart/report";
import { median } from "simple-statistics";

import { ratioInterval } from "./bootstrap.js";
import { clockStep } from "./clock.js";
import { moments, type Moments } from "./moments.js";
import { benjaminiHochberg, welchP } from "./welch.js";

/** The paper's level, section 5.4: "90% confidence". */
const PAPER_LEVEL = 0.1;

/** Level after correction for the number of tests. */
const LEVEL = 0.05;

/**
 * What the times of one test say, judged on their own: {@link TestStatistics.adjustedP} is that of
 * a single test, which {@link analyse} corrects.
 *
 * @param original at least one time (ms)
 * @param rewritten at least one time (ms)
 * @param step one step of the clock (ms), best taken from all tests
 * @throws {RangeError} if there are no times, or one is no finite number from 0
 */
export function testStatistics(
  original: readonly number[],
  rewritten: readonly number[],
  step: number = clockStep([{ original, rewritten }]),
): TestStatistics {
  check(original);
  check(rewritten);
  const [before, after] = [moments(original), moments(rewritten)];
  const ratio = before.mean > 0 && after.mean > 0 ? after.mean / before.mean : null;
  const interval = ratio === null ? null : ratioInterval([{ original, rewritten }], step);
  const p = welchP(before, after);
  return {
    n1: before.count,
    n2: after.count,
    mean1: before.mean,
    mean2: after.mean,
    median1: median([...original]),
    median2: median([...rewritten]),
    deviation1: Math.sqrt(before.variance),
    deviation2: Math.sqrt(after.variance),
    ratio,
    low: interval?.[0] ?? null,
    high: interval?.[1] ?? null,
    welchP: p,
    adjustedP: p,
    significant: p !== null && p < PAPER_LEVEL,
    significantAdjusted: p !== null && p < LEVEL,
    belowTimer: hidden(before, after, step),
  };
}

/**
 * Judges all tests of a project together: with the clock that took their times, and corrected for
 * their number (Benjamini and Hochberg). Tests without a time in either program are left out.
 *
 * @throws {RangeError} if a time is no finite number from 0
 */
export function analyse(measured: readonly MeasuredTest[]): TestResult[] {
  const timed = measured.filter((test) => test.original.length > 0 && test.rewritten.length > 0);
  const step = clockStep(timed);
  const tests = timed.map((test) => testStatistics(test.original, test.rewritten, step));
  const adjusted = benjaminiHochberg(tests.map(({ welchP }) => welchP));
  return timed.flatMap((test, index) => {
    const statistics = tests[index];
    if (statistics === undefined) return [];
    const adjustedP = adjusted[index] ?? null;
    const significantAdjusted = adjustedP !== null && adjustedP < LEVEL;
    return [{ ...test, statistics: { ...statistics, adjustedP, significantAdjusted } }];
  });
}

/**
 * Whether the steps of the clock hide the difference: it is less than one step, and the times vary
 * too little for the rounding of the readings to average out. That takes a deviation of half a step
 * (Widrow and Kollar, Quantization Noise, 2008, chapter 4), to which rounding adds step² / 12.
 */
function hidden(before: Moments, after: Moments, step: number): boolean {
  const needed = step ** 2 / 4 + step ** 2 / 12;
  const varies = Math.min(before.variance, after.variance) >= needed;
  return Math.abs(before.mean - after.mean) < step && !varies;
}

function check(times: readonly number[]): void {
  if (times.length === 0) throw new RangeError("a test needs at least one time in each program");
  const wrong = times.find((time) => !Number.isFinite(time) || time < 0);
  if (wrong !== undefined) throw new RangeError(`${wrong} is not a time in milliseconds`);
}
