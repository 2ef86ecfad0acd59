import { counted } from "@headstart/report";

/**
 * How likely it is, at most, that a right rewrite is called wrong since tests fail at random: in the first comparison, under
 * schedules and in timed runs, one in a hundred each.
 */
const LEVEL = 0.01;

/**
 * How often the rewrite may make a test fail, with what is staked on each: always, in every second run, in every fifth.
 */
const RATES: readonly (readonly [rate: number, stake: number])[] = [
  [1, 0.5],
  [0.5, 0.25],
  [0.2, 0.25],
];

/** How often a test passed and failed in each copy, in runs in turns. */
export interface Counts {
  readonly before: Tally;
  readonly after: Tally;
}

/** How often a test passed and failed in one copy. */
export interface Tally {
  passed: number;
  failed: number;
}

/**
 * How much speaks for it that the rewrite makes a test fail, and not chance: by how much better that explains the runs than
 * one rate of failure for both copies does, whatever that rate is. One failure before the rewrite, and nothing does.
 *
 * This is an e-value: when both copies fail at one rate, it reaches `x` in at most one of `x` cases, however often one looks
 * meanwhile (Turner, Ly and Grünwald, Generic E-variables for exact sequential k-sample tests that allow for optional
 * stopping, 2024). That a test is run until the case is clear is thus no mistake, as it would be with a p-value.
 *
 * @param counts as many runs of each copy, in turns; none of them may have been the reason to look at this test
 */
export function evidence({ before, after }: Counts): number {
  if (before.failed > 0) return 0;
  // A run that has none in the other copy to be compared with speaks for nothing.
  const alone = after.passed + after.failed - before.passed;
  const failures = Math.max(0, after.failed - Math.max(0, alone));
  return RATES.reduce((sum, [rate, stake]) => {
    // With a rate for both, it is that between none and this one.
    const both = rate / 2;
    const failed = rate / (both * (1 - both));
    const passed = (1 - rate) / (1 - both) ** 2;
    return sum + stake * failed ** failures * passed ** after.passed;
  }, 0);
}

/**
 * Which of several tests a rewrite breaks, beyond chance: as many as have evidence enough for their number (Wang and Ramdas,
 * False discovery rate control with e-values, 2022). Of a right rewrite, it finds any with the probability {@link LEVEL} at most.
 *
 * @param values the evidence of those that failed behind the rewrite
 * @param compared how many were looked at for that
 */
export function convincing(values: readonly number[], compared: number): boolean[] {
  const sorted = [...values].sort((a, b) => b - a);
  const enough = sorted.filter((value, index) => value >= compared / (LEVEL * (index + 1)));
  const least = enough.at(-1) ?? Number.POSITIVE_INFINITY;
  return values.map((value) => value >= least);
}

/** How often something failed behind the rewrite that never does before it. */
export function howOften({ before, after }: Counts): string {
  return `failed in ${after.failed} of ${counted(after.failed + after.passed, "run")}, before the rewrite in none of ${before.passed}`;
}
