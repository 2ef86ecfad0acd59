import type { BrokenTest } from "@headstart/report";

import type { Copy } from "./copies.js";
import { convincing, type Counts, evidence, type Tally } from "./evidence.js";
import type { Outcome } from "./lab.js";
import type { TestRun, Trouble } from "./records.js";
import type { Schedule } from "./runners/runner.js";
import type { Session } from "./session.js";
import type { Survey } from "./survey.js";

/** A test, or a file, that says something else behind the rewrite. */
export interface Suspect {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly how: BrokenTest["how"];
  readonly message: string;
  readonly sites: readonly number[];
}

/**
 * What became of a suspect: the rewrite breaks it; it fails in the original, too; or it failed behind the rewrite only, but
 * not often enough to rule out chance.
 */
export type Finding = "broken" | "flaky" | "unsteady";

/** A suspect with what came of running it again. */
export interface Judged extends Suspect {
  readonly counts: Counts;
  readonly finding: Finding;
  /** The schedule under which it fails, where it does under that only. */
  readonly schedule?: Schedule;
}

/** What differs in a run of the rewritten copy from the runs of the original. */
export function suspectsOf({
  base,
  probe,
  after,
  passing,
}: Pick<Survey, "base" | "probe" | "after" | "passing">): Suspect[] {
  const known = new Map(passing.map((test) => [test.id, test]));
  const results = new Map(after.tests.map((test) => [test.id, test]));
  const suspects = new Map<string, Suspect>();
  const add = (suspect: Suspect | undefined): void => {
    if (suspect !== undefined && !suspects.has(suspect.id)) suspects.set(suspect.id, suspect);
  };
  for (const test of stopped(after, known)) add(test);
  for (const trouble of newTroubles(after.files, [...base.files, ...probe.files])) {
    add({ ...placeless(trouble), how: "crashed" });
  }
  for (const test of passing) add(changed(test, results.get(test.id), after));
  const before = [...base.unhandled, ...probe.unhandled];
  for (const trouble of newTroubles(after.unhandled, before)) {
    const test = known.get(trouble.where);
    const how = "unhandled-rejection";
    add(
      test === undefined
        ? { ...placeless(trouble), how }
        : { ...test, how, message: trouble.message },
    );
  }
  return [...suspects.values()];
}

/** The test at which a run hung or ended. */
function stopped({ how, open, tail }: Outcome, known: ReadonlyMap<string, TestRun>): Suspect[] {
  if (how === "done") return [];
  const id = open.at(-1) ?? "";
  const test = known.get(id) ?? { id, file: "", name: id === "" ? "the tests" : id, sites: [] };
  return [{ ...test, how: how === "hung" ? "hung" : "crashed", message: tail }];
}

function changed(test: TestRun, result: TestRun | undefined, after: Outcome): Suspect | undefined {
  if (result?.state === "passed") return undefined;
  if (result?.state === "failed") {
    return { ...test, how: "failed", message: result.message ?? "it failed and did not say why" };
  }
  // Behind a test that ended the run, or in a file that cannot be loaded, nothing ran.
  const isExplained = after.how !== "done" || after.files.some(({ where }) => where === test.file);
  return isExplained ? undefined : { ...test, how: "missing", message: "it did not run" };
}

function newTroubles(now: readonly Trouble[], before: readonly Trouble[]): Trouble[] {
  const known = new Set(before.map(keyOf));
  return now.filter((trouble) => !known.has(keyOf(trouble)));
}

function keyOf({ where, message }: Trouble): string {
  return `${where}\n${message.split("\n", 1)[0] ?? ""}`;
}

function placeless({ where, message }: Trouble) {
  return {
    id: where,
    file: where,
    name: where === "" ? "outside of the tests" : where,
    message,
    sites: [],
  };
}

/** How suspects are run again. */
export interface Trials {
  /** For somebody who waits. */
  readonly title: string;
  /** Runs, in one copy, what is needed for some of the suspects. */
  readonly run: (copy: Copy, round: number, suspects: readonly Suspect[]) => Promise<Outcome>;
  /** Whether the runs of a round say something of a suspect; all do by default. */
  readonly compares?: (suspect: Suspect, before: Outcome, after: Outcome) => boolean;
  /** How often each suspect was seen before, the failure that made one of it included. */
  readonly seen: Counts;
  /** How many suspects there are or may have been: the more, the more evidence it takes. */
  readonly compared: number;
}

/** Runs what looks broken in a run of all tests again. */
export function judge(session: Session, suspects: readonly Suspect[]): Promise<Judged[]> {
  return settle(session, suspects, {
    title: "failures again, before and after",
    run: (copy, round, open) =>
      session.run({
        name: `again ${round} ${copy.name}`,
        ...{ copy, files: filesOf(open), tests: null, mode: "time", delayMs: 0 },
      }),
    // Two runs of the original went before, one with probes.
    seen: { before: { passed: 2, failed: 0 }, after: { passed: 0, failed: 1 } },
    compared: suspects.length,
  });
}

/** How often a suspect is run again in each copy, at most. */
export const ROUNDS = 50;
/** After so many rounds in which it does not fail, a suspect is given up. */
export const QUIET_ROUNDS = 8;
/** The same where it has failed again: it may do so now and then. */
const QUIET_ROUNDS_THEN = 16;

/**
 * Runs suspects again in both copies, in turns, until chance explains none of the failures of one, or all are given up.
 * What fails in the original, too, is flaky. Ends with the first that is broken: the rewrite is wrong then.
 *
 * What made suspects of them is no evidence: of many tests, some fail by chance. Only what comes after that counts.
 */
export async function settle(
  session: Session,
  suspects: readonly Suspect[],
  trials: Trials,
): Promise<Judged[]> {
  const cases = suspects.map((suspect) => new Case(suspect));
  let open = cases;
  if (open.length > 0) session.progress.phase(trials.title, 2 * QUIET_ROUNDS);
  for (let round = 1; round <= ROUNDS && open.length > 0; round++) {
    const [before, after] = await runBoth(session, trials, round, open);
    for (const it of open) it.take(before, after, trials);
    const isBroken = convincing(
      cases.map(({ fresh }) => evidence(fresh)),
      trials.compared,
    );
    if (isBroken.includes(true)) {
      return cases.map((it, index) => it.judged(trials.seen, isBroken[index] === true));
    }
    open = open.filter(({ isOpen }) => isOpen);
  }
  return cases.map((it) => it.judged(trials.seen, false));
}

/** Both copies; which of them comes first changes, as what else the machine does may. */
async function runBoth(
  { lab }: Session,
  { run }: Trials,
  round: number,
  open: readonly Case[],
): Promise<readonly [Outcome, Outcome]> {
  const suspects = open.map(({ suspect }) => suspect);
  if (round % 2 === 0) {
    const after = await run(lab.rewritten, round, suspects);
    return [await run(lab.original, round, suspects), after];
  }
  const before = await run(lab.original, round, suspects);
  return [before, await run(lab.rewritten, round, suspects)];
}

/** A suspect while it is run again. */
class Case {
  /** What the runs say since it is a suspect. */
  readonly fresh = { before: { passed: 0, failed: 0 }, after: { passed: 0, failed: 0 } };
  #quiet = 0;

  constructor(readonly suspect: Suspect) {}

  /** Whether more runs may still say something. */
  get isOpen(): boolean {
    const { before, after } = this.fresh;
    const patience = after.failed === 0 ? QUIET_ROUNDS : QUIET_ROUNDS_THEN;
    return before.failed === 0 && this.#quiet < patience;
  }

  take(before: Outcome, after: Outcome, { compares }: Trials): void {
    const fails = failsIn(this.suspect, after);
    this.#quiet = fails ? 0 : this.#quiet + 1;
    if (compares !== undefined && !compares(this.suspect, before, after)) return;
    this.fresh.after[fails ? "failed" : "passed"]++;
    this.fresh.before[failsIn(this.suspect, before) ? "failed" : "passed"]++;
  }

  judged(seen: Counts, isBroken: boolean): Judged {
    const { before, after } = this.fresh;
    const counts = { before: sum(seen.before, before), after: sum(seen.after, after) };
    const finding = isBroken ? "broken" : before.failed > 0 ? "flaky" : "unsteady";
    return { ...this.suspect, counts, finding };
  }
}

function sum(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed };
}

/** The files that suspects stand in, or all where one stands in none that is known. */
export function filesOf(suspects: readonly Suspect[]): string[] | null {
  if (suspects.some(({ file }) => file === "")) return null;
  return [...new Set(suspects.map(({ file }) => file))];
}

/** Whether a suspect shows itself in a run. */
export function failsIn(suspect: Suspect, outcome: Outcome): boolean {
  const { id, how } = suspect;
  if (outcome.open.includes(id) && outcome.how !== "done") return true;
  if (how === "unhandled-rejection") {
    const first = suspect.message.split("\n", 1)[0];
    return outcome.unhandled.some(({ message }) => message.split("\n", 1)[0] === first);
  }
  if (outcome.files.some(({ where }) => where === id)) return true;
  const result = outcome.tests.find((test) => test.id === id);
  if (result !== undefined) return result.state === "failed";
  // A suspect that is no test shows itself by the end of the run only.
  return how === "failed" || how === "missing" || outcome.how !== "done";
}
