import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { analyse, summarise, testStatistics } from "../../src/statistics/index.js";
import { moments } from "../../src/statistics/moments.js";
import { benjaminiHochberg, welchP } from "../../src/statistics/welch.js";
import { MACHINES, times, uniforms } from "./synthetic.js";

const EXPERIMENTS = 1000;
const RUNS = 50;
const RATIO = 0.9;

describe("the 95% interval of a test", () => {
  for (const [name, machine] of Object.entries(MACHINES)) {
    it(`holds the true ratio in 93 to 97% of ${EXPERIMENTS} experiments: ${name}`, (context) => {
      const uniform = uniforms(1);
      let held = 0;
      for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
        const { low, high } = testStatistics(
          times(RUNS, machine, uniform),
          times(RUNS, machine, uniform, RATIO),
        );
        if (low !== null && high !== null && low <= RATIO && RATIO <= high) held++;
      }
      within(held, context.diagnostic.bind(context));
    });
  }
});

describe("the 95% interval of all tests", () => {
  it("holds the true ratio where whole runs are slow and tests differ", (context) => {
    const uniform = uniforms(2);
    let held = 0;
    for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
      const { interval } = summarise(analyse(project(uniform, [0.8, 0.9, 1])));
      const truth = 100 * (1 - Math.cbrt(0.8 * 0.9));
      if (interval !== undefined && interval[0] <= truth && truth <= interval[1]) held++;
    }
    within(held, context.diagnostic.bind(context));
  });
});

/** More than for intervals, as this takes less time. */
const PROJECTS = 4000;

/**
 * Welch's test with the correction is wrong in exactly 5% of projects where times are normal, so
 * that half of all experiments would find more than that. What may be found is what a true 5% gives
 * in all but one of 1,000 experiments; docs/report.md has the rates themselves.
 */
const AT_MOST = PROJECTS * 0.05 + 3.09 * Math.sqrt(PROJECTS * 0.05 * 0.95);

// The test and the correction alone: an interval for each of 80,000 tests would take minutes.
describe("tests without an effect", () => {
  for (const [name, machine] of Object.entries(MACHINES)) {
    it(`turn up in no more than 5% of projects after correction: ${name}`, (context) => {
      const uniform = uniforms(3);
      let wrong = 0;
      for (let project = 0; project < PROJECTS; project++) {
        const sample = () => moments(times(RUNS, machine, uniform));
        const values = Array.from({ length: 20 }, () => welchP(sample(), sample()));
        if (benjaminiHochberg(values).some((p) => p !== null && p < 0.05)) wrong++;
      }
      context.diagnostic(`${(100 * wrong) / PROJECTS}% of projects with 20 tests`);
      assert.ok(wrong <= AT_MOST, `${wrong} of ${PROJECTS} projects`);
    });
  }
});

function within(held: number, say: (text: string) => void): void {
  const share = (100 * held) / EXPERIMENTS;
  say(`${share}%`);
  assert.ok(share >= 93 && share <= 97, `${share}% of the intervals hold the true ratio`);
}

function measured(id: number, original: number[], rewritten: number[]) {
  return { id: String(id), file: "", name: String(id), sites: [], original, rewritten };
}

/** Tests whose runs share what slows the machine down. */
function project(uniform: () => number, ratios: readonly number[]) {
  const load = () => times(RUNS, MACHINES["shifted exponential"], uniform, 0.1);
  const [before, after] = [load(), load()];
  const loaded = (scale: number, loads: readonly number[]) =>
    times(RUNS, MACHINES["log-normal"], uniform, scale).map(
      (time, run) => time * (loads[run] ?? 1),
    );
  return ratios.map((ratio, id) =>
    measured(id, loaded(id + 1, before), loaded((id + 1) * ratio, after)),
  );
}
