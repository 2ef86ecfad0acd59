import type { Schedules } from "@headstart/report";

import type { Copy } from "./copies.js";
import type { Counts } from "./evidence.js";
import { type Judged, settle, suspectsOf, type Suspect } from "./judge.js";
import type { Outcome, Trial } from "./lab.js";
import type { TestRun } from "./records.js";
import type { Choice, FailingOperation, Schedule } from "./runners/runner.js";
import type { Session } from "./session.js";

/** How often the one schedule that is asked for is run before it counts as showing nothing. */
const LOOKS = 10;
/** How often a test may turn out to be unsteady before it is left out. */
const DOUBTS = 4;
/** What a run may take without a sign of life: a test that fails may leave a server behind, and never end. */
const limitOf = (usualMs: number): number => 5000 + 5 * usualMs;

/** What to run under schedules. */
export interface SchedulePlan {
  /** The tests that execute a rewritten place. */
  readonly tests: readonly TestRun[];
  readonly choice: Choice;
  readonly seeds: readonly number[];
  /** Whether one operation fails in every second of them. */
  readonly fail: boolean;
  /** How long all tests took, in ms. */
  readonly usualMs: number;
}

/** What came of it. */
export interface ScheduleFindings {
  readonly schedules: Schedules;
  /** The tests that pass in all schedules before the rewrite, and fail in one behind it. */
  readonly broken: readonly Judged[];
  /** Tests that failed behind the rewrite only, but not often enough to rule out chance. */
  readonly unsteady: readonly Judged[];
  /** How many of those of the project these are, and count for nothing. */
  readonly doubted: number;
}

/**
 * Runs the affected tests of both copies under schedules: everything that an operation of a rewritten place waits for
 * takes longer by what a seed says. A test that passes under all of them in the original and fails under one of them behind the
 * rewrite refutes it. Ends at the first that is found.
 */
export async function underSchedules(
  session: Session,
  plan: SchedulePlan,
): Promise<ScheduleFindings> {
  const failures = plan.fail ? failingOperations(session) : [];
  const comparison = new Comparison(session, plan);
  let run = 0;
  let broken: readonly Judged[] = [];
  for (const seed of plan.seeds) {
    if (comparison.steady.size === 0 || broken.length > 0) break;
    session.progress.phase("schedules, before and after", 2 * (plan.seeds.length - run));
    broken = await comparison.under(scheduleOf(seed, failures));
    run++;
  }
  const { unsteady, steady, doubtful } = comparison;
  const tests = plan.tests.filter(({ id }) => steady.has(id) && !doubtful.has(id)).length;
  const schedules = { run, failing: plan.fail, tests, unsteady: plan.tests.length - tests };
  return { broken, unsteady, doubted: doubtful.size, schedules };
}

/** Each operation that can be made to fail. */
function failingOperations({ versions }: Session): readonly FailingOperation[] {
  return versions.sites.flatMap(({ id: site }) =>
    (versions.operations(site) ?? []).flatMap(({ lost }, op) =>
      lost === true ? [] : [{ site, op, count: 0 }],
    ),
  );
}

/** With every even seed, an operation fails: each of them at its first run in a test, then at its second, and so on. */
function scheduleOf(seed: number, failures: readonly FailingOperation[]): Schedule {
  const turn = seed / 2 - 1;
  const failing = failures[turn % failures.length];
  if (failing === undefined) return { seed };
  const count = Math.floor(turn / failures.length) % 3;
  return { seed, failing: { ...failing, count } };
}

/** Both copies under one schedule after the other. */
class Comparison {
  /** Tests that do not pass under every schedule as the program stands say nothing, and are run no more. */
  readonly steady: Map<string, TestRun>;
  readonly unsteady: Judged[] = [];
  /** Those of the project's tests that are unsteady, and did not fail before the rewrite. */
  readonly doubtful = new Set<string>();
  /** How often there were suspects. */
  #batches = 0;

  constructor(
    readonly session: Session,
    readonly plan: SchedulePlan,
  ) {
    this.steady = new Map(plan.tests.map((test) => [test.id, test]));
  }

  /** The tests that the rewrite breaks under a schedule. */
  async under(schedule: Schedule): Promise<Judged[]> {
    const looks = this.plan.seeds.length === 1 ? LOOKS : 1;
    for (let look = 1; look <= looks && this.steady.size > 0; look++) {
      const before = await this.#run(schedule, `look ${look}`, this.session.lab.original);
      this.#drop(before, schedule);
      if (this.steady.size === 0) break;
      const after = await this.#run(schedule, `look ${look}`, this.session.lab.rewritten);
      const suspects = this.#suspects(before, after);
      if (suspects.length === 0) continue;
      const seen = {
        before: { passed: look, failed: 0 },
        after: { passed: look - 1, failed: 1 },
      };
      return this.#confirm(schedule, suspects, seen);
    }
    return [];
  }

  async #run(schedule: Schedule, round: string, copy: Copy): Promise<Outcome> {
    const { session, plan } = this;
    const timeoutMs = Math.min(session.lab.timeoutMs, limitOf(plan.usualMs));
    const trial: Trial = { ...this.#choice(), mode: "schedule", delayMs: 0, schedule, timeoutMs };
    return session.run({
      ...trial,
      name: `schedule ${schedule.seed} ${schedule.failing === undefined ? "" : "failing "}${round} ${copy.name}`,
      copy,
      keep: new Set(plan.tests.map(({ id }) => id)),
    });
  }

  /** What has to run for the tests that are left: one that waits in vain takes as long as it may, each time. */
  #choice(): Choice {
    const { files, tests } = this.plan.choice;
    const left = new Set([...this.steady.values()].map(({ file }) => file));
    return {
      files: files?.filter((file) => left.has(file)) ?? null,
      tests: tests?.filter(({ id }) => this.steady.has(id)) ?? null,
    };
  }

  /** Leaves out what did not pass in a run of the original, or that this run cannot tell of. */
  #drop({ tests, how, open }: Outcome, { failing }: Schedule): void {
    // Where an operation is made to fail, a test may say so; but it may not hang each time.
    if (failing === undefined) {
      for (const { id, state } of tests) if (state !== "passed") this.#leaveOut(id);
    }
    if (failing === undefined ? how !== "done" : how === "hung") {
      for (const id of open) this.#leaveOut(id);
    }
  }

  /** It fails before the rewrite, too. */
  #leaveOut(id: string): void {
    if (this.steady.delete(id)) this.doubtful.delete(id);
  }

  #suspects(before: Outcome, after: Outcome): Suspect[] {
    const passed = new Set(
      before.tests.filter(({ state }) => state === "passed").map(({ id }) => id),
    );
    const passing = [...this.steady.values()].filter(({ id }) => passed.has(id));
    const suspects = suspectsOf({ base: before, probe: before, after, passing });
    return suspects.filter((suspect) => failsAlike(suspect, before, after));
  }

  /** Runs the same schedule again, in turns. */
  async #confirm(
    schedule: Schedule,
    suspects: readonly Suspect[],
    seen: Counts,
  ): Promise<Judged[]> {
    const batch = ++this.#batches;
    const judged = await settle(this.session, suspects, {
      title: `schedule ${schedule.seed} again, before and after`,
      run: (copy, round) => this.#run(schedule, `again ${round}`, copy),
      compares: failsAlike,
      seen,
      // 1/2 + 1/6 + 1/12 + … is one: however many there are, chance is given no more room than in a single comparison.
      compared: suspects.length * batch * (batch + 1),
    });
    for (const it of judged) this.#doubt(it, schedule);
    const broken = judged.filter(({ finding }) => finding === "broken");
    return broken.map((it) => ({ ...it, schedule }));
  }

  /** Leaves out what fails before the rewrite, too, and what was unsteady too often. */
  #doubt(judged: Judged, schedule: Schedule): void {
    const { id, finding } = judged;
    if (finding === "flaky" && schedule.failing === undefined) this.#leaveOut(id);
    if (finding !== "unsteady") return;
    this.unsteady.push({ ...judged, schedule });
    if (this.steady.has(id)) this.doubtful.add(id);
    const doubts = this.unsteady.filter((it) => it.id === id).length;
    if (doubts >= DOUBTS) this.steady.delete(id);
  }
}

/**
 * Whether an operation was made to fail for a suspect in both runs, or in neither. Where an error keeps the next operation
 * from being started, it fails behind the rewrite only, and that says nothing of the rewrite.
 */
export function failsAlike({ id }: Suspect, before: Outcome, after: Outcome): boolean {
  const other = [
    ...before.failing.filter((it) => !after.failing.includes(it)),
    ...after.failing.filter((it) => !before.failing.includes(it)),
  ];
  // What stands in no test may come of any.
  const isTest = [...before.tests, ...after.tests].some((test) => test.id === id);
  return isTest ? !other.includes(id) && !other.includes("") : other.length === 0;
}
