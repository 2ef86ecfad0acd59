import { changeOf } from "../format.js";
import type { TestResult } from "../result.js";

/** How a test is drawn and filtered. */
export type Group = "faster" | "slower" | "unclear" | "clock";

/** By which test of significance. */
export type Level = "corrected" | "paper";

/** A test with what the page says of it. */
export interface JudgedTest {
  readonly test: TestResult;
  /** Counted from one, in the runner's order. */
  readonly number: number;
  /** Percent, positive where faster; `null` where a mean is 0. */
  readonly change: number | null;
  /** 95% interval of the change. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly group: Group;
}

/** What the reader asked for. */
export interface Filter {
  readonly text: string;
  readonly group: Group | "all";
  readonly site: number | null;
  readonly order: Order;
}

/** In which order tests stand. */
export type Order = "suite" | "faster" | "slower" | "longest";

/** Judges all tests by one level. */
export function judge(tests: readonly TestResult[], level: Level): JudgedTest[] {
  return tests.map((test, index) => {
    const { ratio, low, high } = test.statistics;
    return {
      test,
      number: index + 1,
      change: ratio === null ? null : changeOf(ratio),
      interval: low === null || high === null ? null : [changeOf(high), changeOf(low)],
      group: groupOf(test, level),
    };
  });
}

function groupOf({ statistics }: TestResult, level: Level): Group {
  if (statistics.belowTimer) return "clock";
  const sure = level === "paper" ? statistics.significant : statistics.significantAdjusted;
  if (!sure) return "unclear";
  return statistics.mean2 < statistics.mean1 ? "faster" : "slower";
}

/** The tests that the reader asked for, in the order asked for. */
export function select(tests: readonly JudgedTest[], filter: Filter): JudgedTest[] {
  const text = filter.text.trim().toLowerCase();
  return tests
    .filter(({ test, group }) => {
      if (filter.group !== "all" && group !== filter.group) return false;
      if (filter.site !== null && !test.sites.includes(filter.site)) return false;
      return `${test.file} ${test.name}`.toLowerCase().includes(text);
    })
    .sort(ORDERS[filter.order]);
}

const ORDERS: Readonly<Record<Order, (a: JudgedTest, b: JudgedTest) => number>> = {
  suite: (a, b) => a.number - b.number,
  faster: (a, b) => (b.change ?? -Infinity) - (a.change ?? -Infinity),
  slower: (a, b) => (a.change ?? Infinity) - (b.change ?? Infinity),
  longest: (a, b) => b.test.statistics.mean1 - a.test.statistics.mean1,
};
