import type { Outcome } from "../src/lab.js";
import type { TestRun } from "../src/records.js";
import type { Session, Step } from "../src/session.js";
import { QUIET } from "./projects.js";

/** What a test says in a run that never took place. */
export function fakeTest(id: string, state: TestRun["state"] = "passed"): TestRun {
  const message = state === "failed" ? { message: "no" } : {};
  return { id, file: "a.test.js", name: id, state, ms: 1, sites: [1], ...message };
}

/** A run that came to its end, with what its tests said. */
export function fakeOutcome(tests: readonly TestRun[], more: Partial<Outcome> = {}): Outcome {
  return {
    ...{ tests, outside: [], unhandled: [], files: [], open: [], operations: {}, loose: [] },
    ...{ failing: [], done: true, how: "done", ms: 1, tail: "" },
    ...more,
  };
}

/** A session in which each run says what a function says. */
export function fakeSession(run: (step: Step) => Outcome): Session {
  const copies = { original: { name: "original" }, rewritten: { name: "rewritten" } };
  return {
    lab: { ...copies, timeoutMs: 1000 },
    versions: { sites: [{ id: 1 }], operations: () => [{ label: "a()" }, { label: "b()" }] },
    progress: QUIET,
    run: (step: Step) => Promise.resolve(run(step)),
  } as unknown as Session;
}
