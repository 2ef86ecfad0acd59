import type { MeasuredTest } from "@headstart/report";

import type { Copy } from "./copies.js";
import { convincing, type Counts, evidence } from "./evidence.js";
import { QUIET_ROUNDS, ROUNDS } from "./judge.js";
import type { Outcome } from "./lab.js";
import type { TestRun } from "./records.js";
import type { Choice } from "./runners/runner.js";
import type { Session } from "./session.js";

/** What is timed. */
export interface TimingPlan {
  /** Names the runs in the journal. */
  readonly name: string;
  /** For somebody who waits. */
  readonly title: string;
  /** The affected tests. */
  readonly tests: readonly TestRun[];
  /** What has to run for that. */
  readonly choice: Choice;
  readonly runs: number;
  readonly warmup: number;
  /** By how much each rewritten operation is delayed, in ms; 0 runs the files without probes. */
  readonly delayMs: number;
}

/** The times of the tests, as long as nothing stopped the runs. */
export class Timings {
  readonly #tests: Map<string, TimedTest>;
  /** Counted runs of which both halves were done. */
  runs = 0;
  /** Runs that did not come to their end, and gave no times. */
  lost = 0;

  constructor(tests: readonly TestRun[]) {
    this.#tests = new Map(tests.map((test) => [test.id, new TimedTest(test)]));
  }

  /** All tests with what was measured of them. */
  get tests(): readonly TimedTest[] {
    return [...this.#tests.values()];
  }

  /** Tests that failed behind the rewrite, and never before it, so often that it is no chance. */
  get broken(): readonly TimedTest[] {
    const suspects = this.#suspects;
    const values = suspects.map(({ counts }) => evidence(counts));
    const isBroken = convincing(values, this.#tests.size);
    return suspects.filter((_, index) => isBroken[index] === true);
  }

  /** Those that failed behind the rewrite only, and too rarely for that. */
  get unsteady(): readonly TimedTest[] {
    const broken = new Set(this.broken);
    return this.#suspects.filter((test) => !broken.has(test));
  }

  get #suspects(): readonly TimedTest[] {
    return this.tests.filter(({ failed }) => failed.original === 0 && failed.rewritten > 0);
  }

  take(copy: Copy, outcome: Outcome, counts: boolean): void {
    if (outcome.how !== "done") this.lost++;
    for (const run of outcome.tests) this.#tests.get(run.id)?.take(copy.name, run, counts);
    const open = outcome.how === "done" ? [] : outcome.open;
    for (const id of open) this.#tests.get(id)?.fail(copy.name, outcome.how, outcome.tail);
  }
}

/** One test with its times. */
export class TimedTest {
  readonly times = { original: [] as number[], rewritten: [] as number[] };
  readonly passed = { original: 0, rewritten: 0 };
  readonly failed = { original: 0, rewritten: 0 };
  message = "";
  how: "failed" | "hung" | "crashed" = "failed";

  constructor(readonly test: TestRun) {}

  take(copy: Copy["name"], run: TestRun, counts: boolean): void {
    if (run.state === "failed") this.fail(copy, "done", run.message ?? "");
    if (run.state !== "passed") return;
    this.passed[copy]++;
    if (counts && run.ms !== null) this.times[copy].push(run.ms);
  }

  fail(copy: Copy["name"], how: Outcome["how"], message: string): void {
    this.failed[copy]++;
    if (copy === "original") return;
    this.message = message;
    this.how = how === "done" ? "failed" : how;
  }

  /** How often it passed and failed in each copy. */
  get counts(): Counts {
    const { passed, failed } = this;
    return {
      before: { passed: passed.original, failed: failed.original },
      after: { passed: passed.rewritten, failed: failed.rewritten },
    };
  }

  /** In the form that is judged and reported. */
  get measured(): MeasuredTest {
    const { id, file, name, sites } = this.test;
    return { id, file, name, sites, ...this.times };
  }
}

/**
 * Runs the affected tests again and again, in the original and in the rewritten copy in turns: what
 * changes with time changes both. (The paper ran one after the other.) The times go to `timings`, so
 * that those which were taken outlast an interrupt.
 */
export async function time(session: Session, plan: TimingPlan, timings: Timings): Promise<void> {
  const keep = new Set(plan.tests.map(({ id }) => id));
  const rounds = plan.warmup + plan.runs;
  session.progress.phase(plan.title, 2 * rounds);
  for (let round = 0; round < rounds; round++) {
    // Which of the two comes first changes, too.
    const [first, second] = session.lab.copies;
    for (const copy of round % 2 === 0 ? [first, second] : [second, first]) {
      const name = `${plan.name} ${round} ${copy.name}`;
      const mode = plan.delayMs === 0 ? "time" : "delay";
      const outcome = await session.run({
        ...{ name, copy, keep, mode, delayMs: plan.delayMs },
        ...plan.choice,
      });
      timings.take(copy, outcome, round >= plan.warmup);
    }
    if (round >= plan.warmup) timings.runs++;
  }
}

/**
 * Where tests failed in timed runs of the rewritten copy only, runs them again, without counting the times, until one is
 * broken beyond chance, or all have failed in the original, too, which makes them flaky, or do not fail again.
 */
export async function runAgain(
  session: Session,
  { tests, choice }: Pick<TimingPlan, "tests" | "choice">,
  timings: Timings,
): Promise<void> {
  const keep = new Set(tests.map(({ id }) => id));
  const failures = (): number =>
    timings.unsteady.reduce((sum, { failed }) => sum + failed.rewritten, 0);
  let quiet = 0;
  const isOpen = (): boolean =>
    timings.broken.length === 0 && timings.unsteady.length > 0 && quiet < QUIET_ROUNDS;
  if (isOpen()) session.progress.phase("failures again, before and after", 2 * QUIET_ROUNDS);
  for (let round = 1; round <= ROUNDS && isOpen(); round++) {
    const before = failures();
    for (const copy of session.lab.copies) {
      const name = `later ${round} ${copy.name}`;
      const run = { name, copy, keep, mode: "time", delayMs: 0 } as const;
      timings.take(copy, await session.run({ ...run, ...choice }), false);
    }
    quiet = failures() > before ? 0 : quiet + 1;
  }
}

/**
 * The least that has to run for the tests: they alone, where they pass without the others of their
 * files, else their files.
 */
export async function choose(session: Session, tests: readonly TestRun[]): Promise<Choice> {
  const named = [...new Set(tests.map(({ file }) => file))];
  // A command that is timed as a whole stands in no file.
  const files = named.includes("") ? null : named;
  const choice = { files, tests: tests.map(({ id, name }) => ({ id, name })) };
  session.progress.phase("the affected tests alone", 1);
  const copy = session.lab.original;
  const outcome = await session.run({ name: "alone", copy, ...choice, mode: "time", delayMs: 0 });
  const passed = new Set(
    outcome.tests.filter(({ state }) => state === "passed").map(({ id }) => id),
  );
  const isEnough = outcome.how === "done" && tests.every(({ id }) => passed.has(id));
  return isEnough ? choice : { files, tests: null };
}
