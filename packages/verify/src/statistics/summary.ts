import type { Summary, TestResult } from "@headstart/report";
import { harmonicMean, logAverage, max, mean, sum } from "simple-statistics";

import { ratioInterval } from "./bootstrap.js";
import { clockStep } from "./clock.js";

/**
 * What all tests together say. The averages are over the tests with a ratio, as in the paper's
 * Table 4, the total time is of all; without any they are 0.
 */
export function summarise(tests: readonly TestResult[]): Summary {
  const compared = tests.filter(({ statistics }) => statistics.ratio !== null);
  const count = (judge: (test: TestResult["statistics"]) => boolean) =>
    tests.filter(({ statistics }) => judge(statistics)).length;
  return {
    tests: tests.length,
    compared: compared.length,
    significant: count((test) => test.significant && test.mean2 < test.mean1),
    significantAdjusted: count((test) => test.significantAdjusted && test.mean2 < test.mean1),
    slowerAdjusted: count((test) => test.significantAdjusted && test.mean2 > test.mean1),
    belowTimer: count((test) => test.belowTimer),
    ...changes(tests, compared),
    ...interval(compared, clockStep(tests)),
  };
}

function changes(
  tests: readonly TestResult[],
  compared: readonly TestResult[],
): Pick<
  Summary,
  "harmonicChange" | "geometricChange" | "meanChange" | "totalChange" | "maxChange"
> {
  const ratios = compared.map(({ statistics }) => statistics.ratio ?? NaN);
  if (ratios.length === 0) {
    return { harmonicChange: 0, geometricChange: 0, meanChange: 0, totalChange: 0, maxChange: 0 };
  }
  const total = (time: (test: TestResult["statistics"]) => number) =>
    sum(tests.map(({ statistics }) => time(statistics)));
  return {
    harmonicChange: change(harmonicMean(ratios)),
    geometricChange: change(logAverage(ratios)),
    meanChange: change(mean(ratios)),
    totalChange: change(total(({ mean2 }) => mean2) / total(({ mean1 }) => mean1)),
    maxChange: max(ratios.map(change)),
  };
}

function interval(compared: readonly TestResult[], step: number): Pick<Summary, "interval"> {
  const found = compared.length === 0 ? null : ratioInterval(compared, step);
  // A high ratio is a small change.
  return found === null ? {} : { interval: [change(found[1]), change(found[0])] };
}

/** What a ratio says in percent, positive where less time is taken. */
function change(ratio: number): number {
  return 100 * (1 - ratio);
}
