import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { moments } from "../../src/statistics/moments.js";
import { analyse, clockStep, summarise, testStatistics } from "../../src/statistics/index.js";
import { benjaminiHochberg, welchP } from "../../src/statistics/welch.js";

/** Student's sleep data, as in R: `t.test(extra ~ group, sleep)` gives p = 0.07939. */
const SLEEP = [
  [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
  [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
] as const;

describe("Welch's t-test", () => {
  it("gives the p value that R gives", () => {
    const p = welchP(moments(SLEEP[0]), moments(SLEEP[1]));
    assert.ok(p !== null && Math.abs(p - 0.07939) < 5e-6, String(p));
  });

  it("gives none where nothing varies, or with one value", () => {
    assert.equal(welchP(moments([1, 1]), moments([2, 2])), null);
    assert.equal(welchP(moments([1]), moments([2, 3])), null);
  });
});

describe("Benjamini-Hochberg", () => {
  it("gives what R's p.adjust gives, and keeps the order", () => {
    const adjusted = benjaminiHochberg([0.01, 0.04, null, 0.03, 0.005]);
    const expected = [0.02, 0.04, null, 0.04, 0.02];
    for (const [index, p] of adjusted.entries()) {
      const other = expected[index] ?? null;
      assert.ok(p === other || Math.abs((p ?? 9) - (other ?? 9)) < 1e-12, String(adjusted));
    }
  });
});

describe("the statistics of a test", () => {
  const original = Array.from({ length: 50 }, (_, run) => 100 + (run % 7));
  const rewritten = original.map((time) => 0.8 * time);

  it("are the same for the same times", () => {
    assert.deepEqual(testStatistics(original, rewritten), testStatistics(original, rewritten));
  });

  it("hold the ratio, its interval and what is significant", () => {
    const found = testStatistics(original, rewritten);
    assert.ok(Math.abs((found.ratio ?? 0) - 0.8) < 1e-12);
    assert.ok((found.low ?? 1) < 0.8 && (found.high ?? 0) > 0.8 && (found.high ?? 1) < 0.82);
    assert.equal(found.median1, 103);
    assert.deepEqual([found.significant, found.significantAdjusted], [true, true]);
  });

  it("give no interval for too few runs and no ratio for a time of 0", () => {
    assert.equal(testStatistics([5, 6, 7, 8], [4, 5, 6, 7]).low, null);
    const { ratio, low, high } = testStatistics([0, 0, 0, 0, 0], [1, 0, 0, 1, 0]);
    assert.deepEqual([ratio, low, high], [null, null, null]);
  });

  it("refuse what are no times", () => {
    assert.throws(() => testStatistics([], [1]), RangeError);
    assert.throws(() => testStatistics([1, Number.NaN], [1]), /NaN is not a time/);
    assert.throws(() => testStatistics([1], [-1]), /-1 is not a time/);
  });
});

describe("the clock", () => {
  it("has the smallest step between any two times", () => {
    assert.equal(clockStep([{ original: [7, 3, 3], rewritten: [5] }]), 2);
    assert.equal(clockStep([{ original: [3, 3], rewritten: [3.000000001] }]), 0);
  });

  it("hides a difference under its step, unless the times vary enough to tell", () => {
    const step = 1;
    const steady = testStatistics([1, 1, 1, 1, 1], [1, 1, 1, 1, 2], step);
    const varied = testStatistics([1, 4, 2, 5, 3], [1, 4, 2, 5, 4], step);
    const large = testStatistics([1, 1, 1, 1, 1], [4, 4, 4, 4, 4], step);
    assert.deepEqual(
      [steady, varied, large].map(({ belowTimer }) => belowTimer),
      [true, false, false],
    );
  });
});

describe("all tests together", () => {
  const test = (id: string, original: number[], rewritten: number[]) => ({
    ...{ id, file: "", name: id, sites: [] },
    ...{ original, rewritten },
  });

  it("are averaged in each of the ways that the report shows", () => {
    const summary = summarise(
      analyse([test("a", [10, 10], [5, 5]), test("b", [90, 90], [90, 90])]),
    );
    assert.equal(summary.compared, 2);
    assert.ok(Math.abs(summary.meanChange - 25) < 1e-9);
    assert.ok(Math.abs(summary.geometricChange - 100 * (1 - Math.SQRT1_2)) < 1e-9);
    assert.ok(Math.abs(summary.harmonicChange - 100 / 3) < 1e-9);
    assert.ok(Math.abs(summary.totalChange - 5) < 1e-9);
    assert.ok(Math.abs(summary.maxChange - 50) < 1e-9);
    assert.equal(summary.interval, undefined);
  });

  it("leave out tests without times, and count for nothing where there are none", () => {
    assert.deepEqual(analyse([test("a", [], [1])]), []);
    const { tests, geometricChange, interval } = summarise([]);
    assert.deepEqual([tests, geometricChange, interval], [0, 0, undefined]);
  });

  it("correct each p value for the number of tests", () => {
    const noise = [10, 11, 12, 13, 14, 15];
    const tests = analyse([
      test("faster", [20, 21, 22, 23, 24, 25], noise),
      ...["b", "c", "d"].map((id) => test(id, noise, [...noise].reverse())),
    ]);
    const [faster] = tests;
    assert.ok(faster !== undefined);
    const { welchP: p, adjustedP, significantAdjusted } = faster.statistics;
    assert.ok(p !== null && adjustedP !== null && Math.abs(adjustedP - 4 * p) < 1e-12);
    assert.ok(significantAdjusted);
  });
});
