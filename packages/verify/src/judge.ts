import type { BrokenTest } from "@headstart/report";

import type { Outcome } from "./lab.js";
import type { TestRun, Trouble } from "./records.js";
import type { Schedule } from "./runners/runner.js";
import type { Session } from "./session.js";
import type { Survey } from "./survey.js";

/** How often what looks broken is run again in each copy. */
const ROUNDS = 3;

/** How often a test passed and failed in each copy. */
export interface Counts {
  readonly before: Tally;
  readonly after: Tally;
}

interface Tally {
  passed: number;
  failed: number;
}

/** A test, or a file, that says something else behind the rewrite. */
export interface Suspect {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly how: BrokenTest["how"];
  readonly message: string;
  readonly sites: readonly number[];
}

/** A suspect with what came of running it again. */
export interface Judged extends Suspect {
  readonly counts: Counts;
  readonly isBroken: boolean;
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

/**
 * Runs what looks broken again in both copies, in turns. What fails in the original, too, is flaky;
 * what only ever fails behind the rewrite is broken by it.
 */
export async function judge(session: Session, suspects: readonly Suspect[]): Promise<Judged[]> {
  if (suspects.length === 0) return [];
  const tallies = suspects.map((): Counts => ({
    before: { passed: 2, failed: 0 },
    after: { passed: 0, failed: 1 },
  }));
  session.progress.phase("failures again, before and after", 2 * ROUNDS);
  const files = filesOf(suspects);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const copy of session.lab.copies) {
      const name = `again ${round} ${copy.name}`;
      const outcome = await session.run({
        name,
        copy,
        files,
        tests: null,
        mode: "time",
        delayMs: 0,
      });
      for (const [index, suspect] of suspects.entries()) {
        const counts = tallies[index]?.[copy.name === "original" ? "before" : "after"];
        if (counts !== undefined) counts[failsIn(suspect, outcome) ? "failed" : "passed"]++;
      }
    }
  }
  return suspects.map((suspect, index) => {
    const counts = tallies[index] ?? {
      before: { passed: 0, failed: 0 },
      after: { passed: 0, failed: 0 },
    };
    return { ...suspect, counts, isBroken: counts.before.failed === 0 };
  });
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
