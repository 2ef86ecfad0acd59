import { howOften } from "./evidence.js";
import type { Findings } from "./result.js";
import type { TestRun } from "./records.js";
import type { Session } from "./session.js";
import type { Timings } from "./timing.js";

/** What a reader of the report has to know beside its figures, one sentence each. */
export function notesOf(session: Session, findings: Findings): string[] {
  const { survey, timings } = findings;
  return [
    ...session.versions.troubles,
    ...lostNotes(session),
    ...(survey === undefined ? [] : [...failureNotes(survey), ...placeNotes(session, survey)]),
    ...unsteadyNotes(findings),
    ...scheduleNotes(findings),
    ...(timings === undefined ? [] : runNotes(timings, "")),
    ...[...findings.delayed].flatMap(([delayMs, delayed]) => [
      ...runNotes(delayed, ` with ${delayMs} ms more`),
      ...delayNotes(delayMs, delayed),
    ]),
  ];
}

type Survey = NonNullable<Findings["survey"]>;

/** Tests of which schedules say nothing. */
function scheduleNotes({ scheduled }: Findings): string[] {
  const { unsteady = 0, run = 0 } = scheduled?.schedules ?? {};
  // Those that fail behind the rewrite now and then are named one by one.
  const left = unsteady - (scheduled?.doubted ?? 0);
  if (left === 0) return [];
  const [fail, are] = left === 1 ? ["fails", "is"] : ["fail", "are"];
  const where =
    run === 1 ? "under the one schedule" : `under at least one of the ${run} schedules run`;
  return [`${count(left, "test")} ${fail} ${where} before the rewrite, too, and ${are} left out.`];
}

/** Tests of which nobody knows whether the rewrite makes them fail. */
function unsteadyNotes({ unsteady }: Findings): string[] {
  return unsteady.map(({ name, counts, schedule }) => {
    const where = schedule === undefined ? "" : `under schedule ${schedule.seed} `;
    return (
      `Unsteady: "${name}" ${where}${howOften(counts)}. ` +
      `That may be chance: it counts neither for nor against the rewrite.`
    );
  });
}

/** Operations that are delayed in neither copy. */
function lostNotes({ versions }: Session): string[] {
  return versions.sites.flatMap(({ id, file, line }) => {
    const operations = versions.operations(id);
    if (operations === undefined) return [];
    const place = `${file}:${line}`;
    if (operations.length === 0) {
      return [
        `${place}: verify finds no awaited operation there, so nothing is delayed or drawn, and no test counts as running it.`,
      ];
    }
    const lost = operations.filter((it) => it.lost).map(({ label }) => `"${label}"`);
    if (lost.length === 0) return [];
    return [
      `${place}: ${lost.join(", ")} ${lost.length === 1 ? "is" : "are"} not found again in the rewritten code, ` +
        `which words ${lost.length === 1 ? "it" : "them"} in another way, and so neither delayed nor drawn.`,
    ];
  });
}

function failureNotes({ failing, incomplete, once }: Survey): string[] {
  const notes: string[] = [];
  if (once.length > 0) {
    notes.push(
      `${count(once.length, "test")} ran in one of two runs of the original only, and ` +
        `${once.length === 1 ? "is" : "are"} left out: ${names(once)}.`,
    );
  }
  if (failing.length > 0) {
    notes.push(
      `${count(failing.length, "test")} fail${failing.length === 1 ? "s" : ""} before the rewrite, too, and ` +
        `${failing.length === 1 ? "is" : "are"} left out: ${names(failing)}.`,
    );
  }
  if (incomplete.length > 0) {
    const files = incomplete.map(({ file, reason }) => `${file} (${reason})`);
    notes.push(`Not all tests of these files ran, with nothing rewritten: ${files.join(", ")}.`);
  }
  return notes;
}

/** Places that were not timed, and why. */
function placeNotes({ versions }: Session, { passing, probe }: Survey): string[] {
  const executed = new Set(passing.flatMap(({ sites }) => sites));
  const elsewhere = new Set(
    probe.tests.filter(({ state }) => state !== "passed").flatMap(({ sites }) => sites),
  );
  const outside = new Set(probe.outside);
  // Where there are no probes, nobody knows what executes it: that is said of its file.
  const rest = versions.sites.filter(
    ({ id }) => !executed.has(id) && (versions.operations(id)?.length ?? 0) > 0,
  );
  const places = (matches: (id: number) => boolean): string =>
    rest
      .filter(({ id }) => matches(id))
      .map(({ file, line }) => `${file}:${line}`)
      .join(", ");
  return [
    ["Executed outside of any test only, and not timed", places((id) => outside.has(id))],
    [
      "Executed only by tests that fail before the rewrite, and not timed",
      places((id) => !outside.has(id) && elsewhere.has(id)),
    ],
    ["Executed by no test", places((id) => !outside.has(id) && !elsewhere.has(id))],
  ].flatMap(([what, where]) => (where === "" ? [] : [`${what}: ${where}.`]));
}

function runNotes({ lost }: Timings, which: string): string[] {
  return lost === 0
    ? []
    : [`${count(lost, "timed run")}${which} did not come to an end, and gave no times.`];
}

/** Tests that are left out of the row of a delay. */
function delayNotes(delayMs: number, { tests }: Timings): string[] {
  return tests
    .filter(({ failed }) => failed.original + failed.rewritten > 0)
    .map(
      ({ test, passed, failed }) =>
        `With ${delayMs} ms more, "${test.name}" fails in ${failed.original} of ` +
        `${failed.original + passed.original} runs before and ${failed.rewritten} of ` +
        `${failed.rewritten + passed.rewritten} after the rewrite, and is left out of that row.`,
    );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

const NAMED = 5;

function names(tests: readonly TestRun[]): string {
  const named = tests.slice(0, NAMED).map(({ name }) => `"${name}"`);
  const more = tests.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
