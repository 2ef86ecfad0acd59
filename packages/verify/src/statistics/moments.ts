import { mean, sampleVariance } from "simple-statistics";

/** What is known of a sample. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** With `count - 1`; 0 for a single value. */
  readonly variance: number;
}

/** Count, mean and variance of a sample that is not empty. */
export function moments(values: readonly number[]): Moments {
  const copy = [...values];
  const variance = values.length > 1 ? sampleVariance(copy) : 0;
  return { count: values.length, mean: mean(copy), variance };
}
