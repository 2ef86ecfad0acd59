import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { convincing, evidence } from "../src/evidence.js";
import { judge, type Judged, suspectsOf } from "../src/judge.js";
import type { Outcome } from "../src/lab.js";
import { seeded } from "../src/statistics/random.js";
import { fakeOutcome, fakeSession, fakeTest } from "./fake.js";

/** How often each test fails, before the rewrite and behind it. */
interface Rates {
  readonly before: number;
  readonly after: number;
  /** Behind it, in the run of all tests; by default as in the later ones. */
  readonly first?: number;
}

/** All that is done with tests that fail at random: three runs of all of them, and then those again that look broken. */
async function verdictOf(rates: readonly Rates[], random: () => number): Promise<Judged[]> {
  const run = (rateOf: (rates: Rates) => number): Outcome =>
    fakeOutcome(
      rates.map((it, index) => fakeTest(`t${index}`, random() < rateOf(it) ? "failed" : "passed")),
    );
  const before = (): Outcome => run((it) => it.before);
  const [base, probe] = [before(), before()];
  const after = run((it) => it.first ?? it.after);
  const isSteady = ({ tests }: Outcome, id: string): boolean =>
    tests.some((test) => test.id === id && test.state === "passed");
  const passing = base.tests.filter(({ id }) => isSteady(base, id) && isSteady(probe, id));
  const session = fakeSession(({ copy }) =>
    copy.name === "original" ? before() : run((it) => it.after),
  );
  return judge(session, suspectsOf({ base, probe, after, passing }));
}

/** In how many of so many verifications the rewrite is called wrong. */
async function wrongIn(times: number, rates: readonly Rates[], seed: number): Promise<number> {
  const draw = seeded(seed);
  const random = (): number => draw(2 ** 32) / 2 ** 32;
  let wrong = 0;
  for (let time = 0; time < times; time++) {
    const judged = await verdictOf(rates, random);
    if (judged.some(({ finding }) => finding === "broken")) wrong++;
  }
  return wrong;
}

const alike = (count: number, rate: number): Rates[] =>
  Array.from({ length: count }, () => ({ before: rate, after: rate }));

describe("tests that fail at random", () => {
  for (const [count, rate] of [
    [30, 0.03],
    [1, 0.1],
    [200, 0.005],
    [20, 0.3],
    [200, 0.03],
  ] as const) {
    it(`refute no right rewrite: ${count} that fail in ${100 * rate}% of the runs`, async () => {
      const wrong = await wrongIn(1000, alike(count, rate), count);
      assert.ok(wrong <= 10, `wrong in ${wrong} of 1000`);
    });
  }

  it("do not hide a test that the rewrite always breaks", async () => {
    const rates = [...alike(30, 0.03), { before: 0, after: 1 }];
    assert.equal(await wrongIn(200, rates, 1), 200);
  });

  it("do not hide one that it breaks in every second run", async () => {
    const broken = { before: 0, after: 0.5, first: 1 };
    const wrong = await wrongIn(400, [...alike(30, 0.03), broken], 2);
    assert.ok(wrong >= 390, `wrong in ${wrong} of 400`);
  });
});

describe("a test that the rewrite breaks", () => {
  it("always, is clear after four rounds, however many there are", async () => {
    for (const count of [1, 1000]) {
      let runs = 0;
      const tests = Array.from({ length: count }, (_, index) => fakeTest(`t${index}`));
      const failing = tests.map(({ id }) => fakeTest(id, "failed"));
      const session = fakeSession(({ copy }) => {
        runs++;
        return fakeOutcome(copy.name === "original" ? tests : failing);
      });
      const [base, after] = [fakeOutcome(tests), fakeOutcome(failing)];
      const suspects = suspectsOf({ base, probe: base, after, passing: tests });
      const judged = await judge(session, suspects);
      assert.equal(runs, 8);
      assert.ok(judged.every(({ finding }) => finding === "broken"));
    }
  });

  it("once, and never again, is unsteady, and not long in doubt", async () => {
    let runs = 0;
    const tests = [fakeTest("a")];
    const session = fakeSession(() => {
      runs++;
      return fakeOutcome(tests);
    });
    const after = fakeOutcome([fakeTest("a", "failed")]);
    const base = fakeOutcome(tests);
    const suspects = suspectsOf({ base, probe: base, after, passing: tests });
    const [judged] = await judge(session, suspects);
    assert.equal(judged?.finding, "unsteady");
    assert.deepEqual(judged.counts, {
      before: { passed: 10, failed: 0 },
      after: { passed: 8, failed: 1 },
    });
    assert.equal(runs, 16);
  });
});

describe("evidence", () => {
  const counts = (before: number, passed: number, failed: number) => ({
    before: { passed: before, failed: 0 },
    after: { passed, failed },
  });

  it("is at most one on average, whatever the rate at which both copies fail", () => {
    for (const rate of [0, 0.01, 0.1, 0.3, 0.5, 0.9, 1]) {
      // One round: what it multiplies the evidence with, by how likely each outcome is.
      const fails = (1 - rate) * rate * evidence(counts(1, 0, 1));
      const passes = (1 - rate) * (1 - rate) * evidence(counts(1, 1, 0));
      assert.ok(fails + passes <= 1 + 1e-12, String(rate));
    }
  });

  it("counts no failure that has no run of the original to be compared with", () => {
    assert.equal(evidence(counts(3, 0, 5)), evidence(counts(3, 0, 3)));
    assert.ok(evidence(counts(0, 0, 1)) <= 1);
  });

  it("has to be the more, the more tests there are; that several have it counts for all", () => {
    assert.deepEqual(convincing([100], 1), [true]);
    assert.deepEqual(convincing([100], 2), [false]);
    assert.deepEqual(convincing([100, 100], 2), [true, true]);
    assert.deepEqual(convincing([250, 100, 0], 2), [true, true, false]);
    assert.deepEqual(convincing([], 3), []);
  });
});
