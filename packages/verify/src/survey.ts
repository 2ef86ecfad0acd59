import type { IncompleteFile } from "@headstart/report";

import { VerifyError } from "./errors.js";
import type { Outcome } from "./lab.js";
import { groupBy } from "./group.js";
import type { TestRun, Trouble } from "./records.js";
import type { Session } from "./session.js";

/** What the whole of the tests says, once before and once after, and once with probes. */
export interface Survey {
  readonly base: Outcome;
  readonly probe: Outcome;
  readonly after: Outcome;
  /** Tests that passed in both runs of the original, with the sites that they execute. */
  readonly passing: readonly TestRun[];
  /** Tests that failed in both. */
  readonly failing: readonly TestRun[];
  /** Tests that said one thing in the first run of the original, another in the second. */
  readonly wavering: readonly TestRun[];
  /** Tests that ran in one of the two only. */
  readonly once: readonly TestRun[];
  /** Files of which not all tests ran in the original. */
  readonly incomplete: readonly IncompleteFile[];
}

/** The tests of the original are such that nothing can be compared with them. */
export class NothingToCompareError extends VerifyError {}

/**
 * Runs all tests: in the original, as it is and with probes, and in the rewritten copy.
 *
 * @throws a {@link NothingToCompareError} where there is nothing to compare: no tests, or none that passes in
 * the original.
 */
export async function survey(session: Session, files: readonly string[] | null): Promise<Survey> {
  const { original, rewritten } = session.lab;
  const all = { files, tests: null, mode: "time", delayMs: 0 } as const;
  session.progress.phase("tests, before and after", 3);
  const base = await session.run({ ...all, name: "all original", copy: original });
  checkBaseline(base, session);
  const probe = await session.run({ ...all, name: "all probes", copy: original, mode: "probe" });
  checkBaseline(probe, session);
  const after = await session.run({ ...all, name: "all rewritten", copy: rewritten });
  const first = new Map(base.tests.map((test) => [test.id, test.state]));
  const both = probe.tests.filter(({ id }) => first.has(id));
  const second = new Set(probe.tests.map(({ id }) => id));
  return {
    base,
    probe,
    after,
    passing: both.filter((test) => test.state === "passed" && first.get(test.id) === "passed"),
    failing: both.filter((test) => test.state === "failed" && first.get(test.id) === "failed"),
    wavering: both.filter((test) => isWavering(test.state, first.get(test.id))),
    once: [
      ...base.tests.filter(({ id }) => !second.has(id)),
      ...probe.tests.filter(({ id }) => !first.has(id)),
    ],
    incomplete: incompleteFiles([...base.files, ...probe.files]),
  };
}

/** Each file once, with the first line of why. */
function incompleteFiles(troubles: readonly Trouble[]): IncompleteFile[] {
  return [...groupBy(troubles, ({ where }) => where)].map(([file, [first]]) => ({
    file,
    reason: first?.message.split("\n", 1)[0] ?? "",
  }));
}

function isWavering(a: TestRun["state"], b: TestRun["state"] | undefined): boolean {
  return (a === "passed" && b === "failed") || (a === "failed" && b === "passed");
}

function checkBaseline(outcome: Outcome, { lab }: Session): void {
  const { how, tests, open, files } = outcome;
  const at = open.length === 0 ? "" : ` in "${open.at(-1) ?? ""}"`;
  if (how === "hung") {
    throw new NothingToCompareError(
      `the tests hang${at} before anything is rewritten: no sign of life for ${lab.timeoutMs / 1000} s; ` +
        `leave that file out with --only, or allow more with --timeout`,
    );
  }
  if (tests.length === 0 && open.length === 0) {
    throw new NothingToCompareError(
      `${lab.runner.label} runs no tests in the copy of the project:\n${lastLines(outcome)}`,
    );
  }
  if (how === "crashed") {
    throw new NothingToCompareError(
      `${lab.runner.label} ended${at} before its tests did (as a call of process.exit makes it), with nothing rewritten:\n${lastLines(outcome)}`,
    );
  }
  if (tests.some(({ state }) => state === "passed")) return;
  if (tests.length > 0 && tests.every(({ state }) => state === "skipped")) {
    throw new NothingToCompareError(
      `all ${tests.length} tests are skipped, so there is nothing to compare: set what they need (a ` +
        `database, variables of the environment) and run this again`,
    );
  }
  const first =
    tests.find(({ message }) => message !== undefined)?.message ?? files[0]?.message ?? "";
  throw new NothingToCompareError(
    `no test passes before anything is rewritten (${tests.length} came to an end` +
      `${at === "" ? "" : `; the last one to begin is${at.slice(3)}`}); ` +
      `the first says:\n${first.trimEnd().slice(0, 1000)}`,
  );
}

const LINES = 15;

/** What a run that went wrong says last. */
function lastLines({ tail, files }: Outcome): string {
  const text = files[0]?.message ?? tail;
  return text.trimEnd().split("\n").slice(-LINES).join("\n") || "it printed nothing";
}
