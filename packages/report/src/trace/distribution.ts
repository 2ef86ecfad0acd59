import type { Counts, Curve } from "./report.js";

/** How often values occur: times in milliseconds, or numbers. */
export interface Distribution {
  /** Values in all. */
  readonly count: number;
  /** The largest. */
  readonly max: number;
  /** Values, ascending, and how often each occurs. */
  readonly values: Counts;
}

/** A distribution of times, which are those that their buckets begin with. */
export function ofCurve({ count, max, buckets }: Curve): Distribution {
  return { count, max, values: buckets };
}

/** A distribution of numbers. */
export function ofCounts(values: Counts): Distribution {
  const count = values.reduce((sum, [, times]) => sum + times, 0);
  return { count, max: values.at(-1)?.[0] ?? 0, values };
}

/** Several distributions as one. */
export function together(parts: readonly Distribution[]): Distribution {
  const times = new Map<number, number>();
  for (const [value, more] of parts.flatMap((part) => part.values)) {
    times.set(value, (times.get(value) ?? 0) + more);
  }
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    max: Math.max(0, ...parts.map(({ max }) => max)),
    values: [...times].sort(([a], [b]) => a - b),
  };
}

/** How many values are at or below a limit. */
export function atMost({ values }: Distribution, limit: number): number {
  let sum = 0;
  for (const [value, times] of values) {
    if (value > limit) break;
    sum += times;
  }
  return sum;
}

/** The least value that a part (0 to 1) of all values is at most; `undefined` if there are none. */
export function quantile({ count, values }: Distribution, part: number): number | undefined {
  let left = Math.max(1, Math.ceil(count * part));
  for (const [value, times] of values) {
    left -= times;
    if (left <= 0) return value;
  }
  return undefined;
}

/** A point of a cumulative curve: so many values are at most this. */
export type Step = readonly [value: number, below: number];

/**
 * The cumulative curve of a distribution from `least` up to its maximum. Of points that `place` puts
 * closer to each other than one, the last stays, so that a picture has no more than it can show.
 */
export function steps(
  distribution: Distribution,
  least: number,
  place: (value: number) => number,
): Step[] {
  const { count, max, values } = distribution;
  const found: Step[] = [[least, atMost(distribution, least)]];
  let sum = 0;
  let last = place(least);
  for (const [value, times] of values) {
    sum += times;
    if (value <= least) continue;
    const at = place(value);
    if (found.length > 1 && at - last < 1) found.pop();
    else last = at;
    found.push([value, sum]);
  }
  if (max > least) found.push([max, count]);
  return found;
}
