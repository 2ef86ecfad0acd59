import type { Schedules } from "@headstart/report";

import { failsIn, type Judged, suspectsOf, type Suspect } from "./judge.js";
import type { Outcome, Trial } from "./lab.js";
import type { TestRun } from "./records.js";
import type { Choice, FailingOperation, Schedule } from "./runners/runner.js";
import type { Session } from "./session.js";

/** How often a schedule that shows a failure is run again in each copy. */
const ROUNDS = 4;
/** What a run may take without a sign of life: a test that fails may leave a server behind, and never end. */
const limitOf = (usualMs: number): number => 5000 + 5 * usualMs;
/** How often a failure has to show itself to count. */
const ENOUGH = 2;

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
  // Tests that do not pass under every schedule as the program stands say nothing.
  const steady = new Map(plan.tests.map((test) => [test.id, test]));
  session.progress.phase("schedules, before and after", 2 * plan.seeds.length);
  let run = 0;
  const found = (broken: ScheduleFindings["broken"]): ScheduleFindings => ({
    broken,
    schedules: {
      ...{ run, failing: plan.fail, tests: steady.size },
      unsteady: plan.tests.length - steady.size,
    },
  });
  for (const seed of plan.seeds) {
    const schedule = scheduleOf(seed, failures);
    const before = await runOne(session, plan, schedule, "original");
    const after = await runOne(session, plan, schedule, "rewritten");
    run++;
    // Where an operation is made to fail, a test may say so.
    if (schedule.failing === undefined) drop(steady, before);
    const suspects = suspectsUnder(before, after, steady);
    if (suspects.length === 0) continue;
    const judged = await confirm(session, plan, schedule, suspects);
    if (schedule.failing === undefined) {
      for (const { id, counts } of judged) if (counts.before.failed > 0) steady.delete(id);
    }
    const broken = judged.filter(({ isBroken }) => isBroken);
    if (broken.length > 0) return found(broken.map((it) => ({ ...it, schedule })));
  }
  return found([]);
}

/** Each operation that can be made to fail. */
function failingOperations({ versions }: Session): readonly FailingOperation[] {
  return versions.sites.flatMap(({ id: site }) =>
    (versions.operations(site) ?? []).flatMap(({ lost }, op) =>
      lost === true ? [] : [{ site, op, count: 0 }],
    ),
  );
}

/** With every even seed, an operation fails: each of them at its first run, then at its second, and so on. */
function scheduleOf(seed: number, failures: readonly FailingOperation[]): Schedule {
  const turn = seed / 2 - 1;
  const failing = failures[turn % failures.length];
  if (failing === undefined) return { seed };
  const count = Math.floor(turn / failures.length) % 3;
  return { seed, failing: { ...failing, count } };
}

async function runOne(
  session: Session,
  { choice, tests, usualMs }: SchedulePlan,
  schedule: Schedule,
  name: "original" | "rewritten",
  round = 0,
): Promise<Outcome> {
  const timeoutMs = Math.min(session.lab.timeoutMs, limitOf(usualMs));
  const trial: Trial = { ...choice, mode: "schedule", delayMs: 0, schedule, timeoutMs };
  return session.run({
    ...trial,
    name: `schedule ${schedule.seed} ${schedule.failing === undefined ? "" : "failing "}${round} ${name}`,
    copy: session.lab[name],
    keep: new Set(tests.map(({ id }) => id)),
  });
}

/** Leaves out what did not pass in a run of the original, or that this run cannot tell of. */
function drop(steady: Map<string, TestRun>, { tests, how, open }: Outcome): void {
  for (const { id, state } of tests) if (state !== "passed") steady.delete(id);
  if (how !== "done") for (const id of open) steady.delete(id);
}

function suspectsUnder(
  before: Outcome,
  after: Outcome,
  steady: ReadonlyMap<string, TestRun>,
): Suspect[] {
  const passed = new Set(
    before.tests.filter(({ state }) => state === "passed").map(({ id }) => id),
  );
  const passing = [...steady.values()].filter(({ id }) => passed.has(id));
  return suspectsOf({ base: before, probe: before, after, passing });
}

/** Runs the same schedule again, in turns. */
async function confirm(
  session: Session,
  plan: SchedulePlan,
  schedule: Schedule,
  suspects: readonly Suspect[],
): Promise<Judged[]> {
  const counts = suspects.map(() => ({
    before: { passed: 1, failed: 0 },
    after: { passed: 0, failed: 1 },
  }));
  session.progress.phase(`schedule ${schedule.seed} again, before and after`, 2 * ROUNDS);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, which] of [
      ["original", "before"],
      ["rewritten", "after"],
    ] as const) {
      const outcome = await runOne(session, plan, schedule, name, round);
      for (const [index, suspect] of suspects.entries()) {
        const tally = counts[index]?.[which];
        if (tally !== undefined) tally[failsIn(suspect, outcome) ? "failed" : "passed"]++;
      }
    }
  }
  return suspects.map((suspect, index) => {
    const { before, after } = counts[index] ?? {
      before: { passed: 0, failed: 1 },
      after: { passed: 1, failed: 0 },
    };
    const isBroken = before.failed === 0 && after.failed >= ENOUGH;
    return { ...suspect, counts: { before, after }, isBroken };
  });
}
