import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Outcome } from "../src/lab.js";
import { underSchedules } from "../src/schedules.js";
import type { Step } from "../src/session.js";
import { seeded } from "../src/statistics/random.js";
import { fakeOutcome, fakeSession, fakeTest } from "./fake.js";

/** Both copies under schedules, with runs that say what a function says; and what was run. */
async function compare(
  names: readonly string[],
  seeds: readonly number[],
  run: (step: Step) => Outcome,
  fail = false,
) {
  const steps: Step[] = [];
  const session = fakeSession((step) => {
    steps.push(step);
    return run(step);
  });
  const tests = names.map((name) => fakeTest(name));
  const choice = { files: ["a.test.js"], tests: names.map((name) => ({ id: name, name })) };
  const plan = { tests, choice, seeds, fail, usualMs: 10 };
  return { found: await underSchedules(session, plan), steps };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** The tests that a run is asked for, of which some fail. */
function outcomeOf(step: Step, fails: (id: string) => boolean): Outcome {
  return fakeOutcome(
    (step.tests ?? []).map(({ id }) => fakeTest(id, fails(id) ? "failed" : "passed")),
  );
}

describe("schedules", () => {
  it("refute no right rewrite whose tests fail at random", async () => {
    const draw = seeded(7);
    const names = upTo(20).map((number) => `t${number}`);
    for (let time = 0; time < 200; time++) {
      const { found } = await compare(names, upTo(50), (step) =>
        outcomeOf(step, () => draw(100) < 3),
      );
      assert.deepEqual(found.broken, []);
    }
  });

  it("find what one of them shows in every second run", async () => {
    const draw = seeded(8);
    let refuted = 0;
    for (let time = 0; time < 200; time++) {
      const { found } = await compare(["a", "b"], upTo(50), ({ copy, schedule, ...step }) => {
        const isShown = copy.name === "rewritten" && schedule?.seed === 7;
        const isSeen = step.name.includes("look") || draw(2) === 0;
        return outcomeOf({ copy, ...step }, (id) => id === "b" && isShown && isSeen);
      });
      if (found.broken[0]?.schedule?.seed === 7) refuted++;
    }
    assert.ok(refuted >= 190, `${refuted} of 200`);
  });

  it("that are asked for one by one are looked at several times", async () => {
    let runs = 0;
    const { found } = await compare(["a"], [7], (step) =>
      // The first time, it passes.
      outcomeOf(step, () => step.copy.name === "rewritten" && ++runs % 5 !== 1),
    );
    const [broken] = found.broken;
    assert.equal(broken?.schedule?.seed, 7);
    assert.ok(broken.counts.after.passed > 0);
    const { before, after } = broken.counts;
    assert.equal(before.passed, after.passed + after.failed);
  });

  it("do not run again what fails before the rewrite under one of them", async () => {
    const { found, steps } = await compare(["a", "b"], upTo(5), (step) =>
      outcomeOf(step, (id) => id === "a" && step.schedule?.seed === 2),
    );
    assert.equal(found.schedules.tests, 1);
    const last = steps.at(-1);
    assert.deepEqual(last?.tests, [{ id: "b", name: "b" }]);
    // Where none is left, nothing is.
    const none = await compare(["a"], upTo(5), (step) => outcomeOf(step, () => true));
    assert.equal(none.steps.length, 1);
  });

  it("count no test as right that once failed behind the rewrite only", async () => {
    const seen = new Set<number>();
    const { found, steps } = await compare(["a", "b"], upTo(9), ({ copy, schedule, ...step }) => {
      const seed = schedule?.seed ?? 0;
      // Each of these schedules shows it once.
      const isFirst = copy.name === "rewritten" && [2, 3, 5, 7].includes(seed) && !seen.has(seed);
      if (isFirst) seen.add(seed);
      return outcomeOf({ copy, ...step }, (id) => id === "a" && isFirst);
    });
    assert.deepEqual(found.schedules, { run: 9, failing: false, tests: 1, unsteady: 1 });
    assert.deepEqual(
      found.unsteady.map(({ id, schedule }) => [id, schedule?.seed]),
      [2, 3, 5, 7].map((seed) => ["a", seed]),
    );
    assert.equal(found.doubted, 1);
    // After the fourth time it is not run again.
    assert.deepEqual(steps.at(-1)?.tests, [{ id: "b", name: "b" }]);
  });

  it("do not run again what hangs as an operation fails, before the rewrite", async () => {
    const hung = { how: "hung", open: ["a"], done: false } as const;
    const { steps } = await compare(
      ["a", "b"],
      [1, 2, 3, 4],
      (step) =>
        step.schedule?.failing === undefined || !(step.tests ?? []).some(({ id }) => id === "a")
          ? outcomeOf(step, () => false)
          : fakeOutcome([], hung),
      true,
    );
    assert.deepEqual(steps.at(-1)?.tests, [{ id: "b", name: "b" }]);
  });
});

describe("an operation that is made to fail", () => {
  const run =
    (started: readonly string[]) =>
    (step: Step): Outcome => {
      const isFailing = step.schedule?.failing !== undefined;
      const isStarted = isFailing && started.includes(step.copy.name);
      const isBroken = isFailing && step.copy.name === "rewritten";
      return { ...outcomeOf(step, () => isBroken), failing: isStarted ? ["a"] : [] };
    };

  it("says nothing where it is started behind the rewrite only", async () => {
    const { found } = await compare(["a"], upTo(4), run(["rewritten"]), true);
    assert.deepEqual([found.broken, found.unsteady], [[], []]);
  });

  it("refutes a rewrite where it is started before it, too", async () => {
    const { found } = await compare(["a"], upTo(4), run(["original", "rewritten"]), true);
    assert.equal(found.broken[0]?.schedule?.seed, 2);
  });
});
