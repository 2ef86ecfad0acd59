import type { MeasuredTest } from "@headstart/report";

/** Times closer than this are the same (ms): what is left of reading decimals as binary. */
const SAME = 1e-6;

/**
 * One step of the clock that took these times (ms): the smallest difference between any two. 1 for
 * a runner that gives whole milliseconds, next to nothing for `performance.now()`; 0 where all are
 * the same.
 */
export function clockStep(tests: readonly Pick<MeasuredTest, "original" | "rewritten">[]): number {
  const times = tests.flatMap(({ original, rewritten }) => [...original, ...rewritten]);
  const ordered = Float64Array.from(times).sort();
  let step = Infinity;
  for (let i = 1; i < ordered.length; i++) {
    const difference = (ordered[i] ?? 0) - (ordered[i - 1] ?? 0);
    if (difference > SAME && difference < step) step = difference;
  }
  return step === Infinity ? 0 : step;
}
