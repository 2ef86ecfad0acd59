import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";

import type { VerifyResult } from "@headstart/report";
import picomatch from "picomatch";

import { bisect } from "./bisect.js";
import { type Copy, list, type Listing, makeCopy, type Source, workspaceOf } from "./copies.js";
import { codeOf, messageOf, VerifyError } from "./errors.js";
import { Journal } from "./journal.js";
import { judge, suspectsOf } from "./judge.js";
import { Lab } from "./lab.js";
import type { VerifyOptions } from "./options.js";
import { overlap } from "./overlap.js";
import type { Progress } from "./progress.js";
import { Findings, resultOf } from "./result.js";
import { chooseRunner, readManifests } from "./runners/detect.js";
import type { Choice, Runner } from "./runners/runner.js";
import { makeScratch, removeScratch } from "./scratch.js";
import { underSchedules } from "./schedules.js";
import { Session } from "./session.js";
import { sourcesOf } from "./sources.js";
import { NothingToCompareError, survey, type Survey } from "./survey.js";
import { choose, runAgain, time, Timings } from "./timing.js";
import { inProject } from "./traces.js";
import { Versions } from "./versions.js";

/**
 * Says whether the tests of a project still say the same when it is rewritten, and how much faster
 * they are. The project itself is only read.
 *
 * An interrupt does not throw: what was measured until then comes back, and is in the journal.
 *
 * @throws a {@link VerifyError} where nothing can be said.
 */
export async function verify(options: VerifyOptions, progress: Progress): Promise<VerifyResult> {
  if (options.sites.length === 0) {
    throw new VerifyError("there is nothing to verify: no await in the project would be rewritten");
  }
  const root = await workspaceOf(options.project, (glob, path) => picomatch.isMatch(path, glob));
  const manifests = await readManifests(options.project, root);
  const runner = chooseRunner({ ...options, ...manifests });
  const scratch = await makeScratch();
  try {
    const session = await prepare(options, root, runner, scratch, progress);
    const name = manifests.manifest.name ?? basename(options.project);
    const findings = new Findings(name, runner.label);
    await measure(session, options, findings);
    return resultOf(session, options, findings);
  } finally {
    progress.end();
    await removeScratch(scratch);
  }
}

/** Makes the copies, and all that is needed to run them. */
async function prepare(
  options: VerifyOptions,
  root: string,
  runner: Runner,
  scratch: string,
  progress: Progress,
): Promise<Session> {
  const { project, out } = options;
  const sites = options.sites.map((site, index) => ({ ...site, id: index + 1 }));
  const versions = new Versions(sites, await readSites(options));
  const source: Source = { root, project, without: [out] };
  const listing = await list(source);
  const journal = new Journal(out, keyOf(options, runner, listing), options.resume);
  progress.note(
    `${sites.length} ${sites.length === 1 ? "place" : "places"} to rewrite; tests run with ${runner.label}`,
  );
  const copies = await makeCopies(source, listing, scratch).catch((error: unknown) => {
    journal.discard();
    throw error;
  });
  const work = join(scratch, "work");
  await mkdir(work);
  const lab = new Lab(runner, ...copies, work, options.timeoutMs, options.signal);
  return new Session(lab, versions, journal, progress);
}

async function makeCopies(
  source: Source,
  listing: Listing,
  scratch: string,
): Promise<readonly [Copy, Copy]> {
  const name = basename(source.root);
  try {
    return [
      await makeCopy("original", source, listing, join(scratch, "old", name)),
      await makeCopy("rewritten", source, listing, join(scratch, "new", name)),
    ];
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
    throw new VerifyError(
      `there is no room for the copies of the project in ${scratch}: ${messageOf(error)}; ` +
        `make room, or set TMPDIR to a folder that has some`,
    );
  }
}

async function readSites({ project, sites }: VerifyOptions): Promise<Map<string, string>> {
  const files = [...new Set(sites.map(({ file }) => file))];
  const texts = await Promise.all(files.map((file) => readFile(join(project, file), "utf8")));
  return new Map(files.map((file, index) => [file, texts[index] ?? ""]));
}

/** What measurements depend on: the project, the rewrites, the runner, what is measured. */
function keyOf(options: VerifyOptions, runner: Runner, { fingerprint }: Listing): string {
  const { sites, only, warmup, command, tool } = options;
  const text = JSON.stringify([
    tool,
    process.version,
    runner.label,
    sites,
    only,
    warmup,
    command,
    fingerprint,
  ]);
  return createHash("sha256").update(text).digest("hex");
}

/** Correctness first, then speed. What an interrupt leaves is in `findings`. */
async function measure(
  session: Session,
  options: VerifyOptions,
  findings: Findings,
): Promise<void> {
  try {
    const files = options.only === null ? null : await matching(options.project, options.only);
    findings.survey = await firstRuns(session, files);
    findings.judged = await judge(session, suspectsOf(findings.survey));
    if (findings.broken.length > 0) {
      if (options.bisect) await blame(session, findings);
      return;
    }
    const tests = findings.affected;
    const choice = tests.length === 0 ? undefined : await choose(session, tests);
    if (choice !== undefined && options.seeds.length > 0) {
      await trySchedules(session, options, findings, choice);
      if (findings.broken.length > 0) return;
    }
    findings.isChecked = true;
    if (choice !== undefined) await measureSpeed(session, options, findings, choice);
  } catch (error) {
    if (!options.signal.aborted) throw inPlace(error, session, options);
    findings.isInterrupted = true;
  }
}

/** The tests before and after; where they cannot be compared at all, no journal is left of it. */
async function firstRuns(session: Session, files: readonly string[] | null): Promise<Survey> {
  try {
    return await survey(session, files);
  } catch (error) {
    if (error instanceof NothingToCompareError) session.journal.discard();
    throw error;
  }
}

/** The copies are gone when somebody reads this: what it names is in the project. */
function inPlace(error: unknown, { lab, versions }: Session, { project }: VerifyOptions): unknown {
  if (!(error instanceof VerifyError)) return error;
  return new VerifyError(inProject(error.message, lab.copies, versions, project), { cause: error });
}

async function blame(session: Session, findings: Findings): Promise<void> {
  for (const test of findings.broken) {
    findings.blamed.set(test.id, await bisect(session, test));
  }
}

/** Under other schedules, where tests pass that only the usual one lets pass. */
async function trySchedules(
  session: Session,
  { seeds, fail, project, bisect: isBlamed }: VerifyOptions,
  findings: Findings,
  choice: Choice,
): Promise<void> {
  session.versions.addOthers(await sourcesOf(project));
  const tests = findings.affected;
  const usualMs = findings.survey?.base.ms ?? 0;
  findings.scheduled = await underSchedules(session, { tests, choice, seeds, fail, usualMs });
  if (isBlamed) await blame(session, findings);
}

async function measureSpeed(
  session: Session,
  options: VerifyOptions,
  findings: Findings,
  choice: Choice,
): Promise<void> {
  const tests = findings.affected;
  findings.timelines = await overlap(session, tests, choice);
  const { runs, warmup } = options;
  const plan = { name: "time", title: "runs", tests, choice, runs, warmup, delayMs: 0 };
  findings.timings = new Timings(tests);
  await time(session, plan, findings.timings);
  await runAgain(session, plan, findings.timings);
  for (const delayMs of options.latency.filter((it) => it > 0)) {
    const timings = new Timings(tests);
    findings.delayed.set(delayMs, timings);
    const title = `runs with ${delayMs} ms more`;
    // Everything is warm by now, but for the compiled form of what carries the delay.
    const delayedPlan = {
      ...plan,
      name: `delay ${delayMs}`,
      title,
      warmup: Math.min(1, warmup),
      delayMs,
    };
    await time(session, delayedPlan, timings);
  }
}

/** The files of the project that a glob names. */
async function matching(project: string, glob: string): Promise<readonly string[]> {
  const { entries } = await list({ root: project, project, without: [] });
  const files = entries
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => path.split(sep).join("/"));
  const found = files.filter((file) => picomatch.isMatch(file, glob));
  if (found.length > 0) return found;
  throw new VerifyError(
    `no file matches --only "${glob}"; it is matched with paths relative to ${project}`,
  );
}
