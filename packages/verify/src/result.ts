import { cpus } from "node:os";

import {
  type Agreement,
  type BrokenTest,
  type FlakyTest,
  type LatencyRow,
  type Machine,
  type Site,
  type TestResult,
  type Timeline,
  type VerifyResult,
} from "@headstart/report";

import { type Counts, howOften } from "./evidence.js";
import type { Judged } from "./judge.js";
import type { VerifyOptions } from "./options.js";
import type { TestRun } from "./records.js";
import type { Schedule } from "./runners/runner.js";
import type { Session } from "./session.js";
import { analyse, summarise } from "./statistics/index.js";
import type { Survey } from "./survey.js";
import { notesOf } from "./notes.js";
import type { ScheduleFindings } from "./schedules.js";
import type { TimedTest, Timings } from "./timing.js";
import { inProject } from "./traces.js";

/** What failed behind the rewrite only, now and then. */
export interface Unsteady {
  readonly id: string;
  readonly name: string;
  readonly counts: Counts;
  /** Where it did under that only. */
  readonly schedule?: Schedule;
}

/** What has been found so far; an interrupt leaves it as it is. */
export class Findings {
  survey: Survey | undefined;
  judged: readonly Judged[] = [];
  /** Whether all tests were compared, and none broke. */
  isChecked = false;
  isInterrupted = false;
  scheduled: ScheduleFindings | undefined;
  timings: Timings | undefined;
  timelines: ReadonlyMap<number, Timeline> = new Map();
  /** By delay in ms. */
  readonly delayed = new Map<number, Timings>();
  /** The sites that break a test, by the test's id. */
  readonly blamed = new Map<string, readonly number[]>();

  constructor(
    readonly project: string,
    readonly runner: string,
  ) {}

  /** What the rewrite broke. */
  get broken(): readonly Judged[] {
    const judged = this.judged.filter(({ finding }) => finding === "broken");
    return [...judged, ...(this.scheduled?.broken ?? [])];
  }

  /** Tests that execute a rewritten site, and never failed before the rewrite. */
  get affected(): readonly TestRun[] {
    // One that is unsteady stays: other schedules or the timed runs may say what it is.
    const left = this.judged.filter(({ finding }) => finding !== "unsteady");
    const judged = new Set(left.map(({ id }) => id));
    const passing = this.survey?.passing ?? [];
    return passing.filter((it) => it.sites.length > 0 && it.ms !== null && !judged.has(it.id));
  }

  /** What failed behind the rewrite only, but not often enough to rule out chance. */
  get unsteady(): readonly Unsteady[] {
    const judged = this.judged.filter(({ finding }) => finding === "unsteady");
    const later = (this.timings?.unsteady ?? []).map(({ test, counts }) => ({ ...test, counts }));
    return [...judged, ...(this.scheduled?.unsteady ?? []), ...later];
  }

  /** Tests that do not say the same whenever they run as things usually go, by their ids. */
  get wavering(): ReadonlySet<string> {
    const judged = this.judged.filter(({ finding }) => finding !== "broken");
    const later = [...this.flakyLater, ...(this.timings?.unsteady ?? [])].map(({ test }) => test);
    return new Set([...judged, ...later].map(({ id }) => id));
  }

  /** Timed tests that never failed. */
  steady(timings: Timings | undefined): readonly TimedTest[] {
    const tests = timings?.tests ?? [];
    return tests.filter(({ failed }) => failed.original === 0 && failed.rewritten === 0);
  }

  /** Tests that failed in timed runs of the rewritten copy only, beyond chance. */
  get brokenLater(): readonly TimedTest[] {
    return this.timings?.broken ?? [];
  }

  /** Tests that failed in timed runs of the original. */
  get flakyLater(): readonly TimedTest[] {
    return (this.timings?.tests ?? []).filter(({ failed }) => failed.original > 0);
  }
}

/** The findings in the form of the report. */
export function resultOf(
  session: Session,
  options: VerifyOptions,
  findings: Findings,
): VerifyResult {
  const tests = analyseAll(findings.steady(findings.timings));
  const summary = summarise(tests);
  const broken = [
    ...brokenTests(session, options, findings),
    ...brokenLater(session, options, findings),
  ];
  const delayed = [...findings.delayed].map(([delayMs, timings]) => ({
    delayMs,
    summary: summarise(analyseAll(findings.steady(timings))),
  }));
  const rows: LatencyRow[] = delayed.filter((row) => row.summary.tests > 0);
  return {
    version: 1,
    tool: options.tool,
    createdAt: new Date().toISOString(),
    project: findings.project,
    machine: machine(),
    runner: findings.runner,
    level: options.level,
    runs: findings.timings?.runs ?? 0,
    warmup: options.warmup,
    interrupted: findings.isInterrupted,
    outcome: broken.length > 0 ? "broken" : findings.isChecked ? "verified" : "not-run",
    agreement: agreementOf(findings, broken),
    sites: sitesOf(session, findings),
    tests,
    latency: rows.length === 0 ? [] : [{ delayMs: 0, summary }, ...rows],
    flaky: flakyTests(findings),
    broken,
    incomplete: findings.survey?.incomplete ?? [],
    summary,
    ...(findings.scheduled === undefined ? {} : { schedules: findings.scheduled.schedules }),
    notes: notesOf(session, findings),
  };
}

function analyseAll(tests: readonly TimedTest[]): TestResult[] {
  return analyse(tests.map(({ measured }) => measured));
}

function machine(): Machine {
  const all = cpus();
  return {
    cores: all.length,
    cpu: all[0]?.model.trim() ?? "unknown",
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
}

function agreementOf(findings: Findings, broken: readonly BrokenTest[]): Agreement | null {
  const { survey } = findings;
  if (survey === undefined) return null;
  const ids = new Set(broken.map(({ id }) => id));
  const same = survey.passing.filter(({ id }) => !findings.wavering.has(id) || ids.has(id));
  return {
    tests: survey.passing.length,
    agreeing: Math.max(0, same.length - broken.length),
    affected: same.filter(({ sites }) => sites.length > 0).length,
  };
}

function sitesOf({ versions }: Session, { timelines }: Findings): Site[] {
  return versions.sites.map((site) => {
    const { id, file, line, title, level } = site;
    const operations = versions.operations(id) ?? [];
    const timeline = timelines.get(id);
    const base = { id, file, line, title, level, diff: versions.diff(site), operations };
    return timeline === undefined ? base : { ...base, timeline };
  });
}

function brokenTests(session: Session, options: VerifyOptions, findings: Findings): BrokenTest[] {
  return findings.broken.map((test) => {
    const { id, file, name, how, message, sites, counts, schedule } = test;
    // Under a schedule, how often is what somebody has to know who tries it again.
    const isAlways = counts.after.passed === 0 && schedule === undefined;
    const times = isAlways ? "" : `${howOften(counts)}\n`;
    const blamed = findings.blamed.get(id) ?? [];
    const base = {
      id,
      file,
      name,
      how,
      message: times + explained(session, options, message),
      sites,
      ...(schedule === undefined ? {} : { seed: schedule.seed }),
    };
    const [only] = blamed;
    return only !== undefined && blamed.length === 1 ? { ...base, blamed: only } : base;
  });
}

function brokenLater(session: Session, options: VerifyOptions, findings: Findings): BrokenTest[] {
  return findings.brokenLater.map(({ test, how, message, counts }) => ({
    id: test.id,
    file: test.file,
    name: test.name,
    how,
    message: `${howOften(counts)}\n${explained(session, options, message)}`,
    sites: test.sites,
  }));
}

function explained(
  { lab, versions }: Session,
  { project }: VerifyOptions,
  message: string,
): string {
  return inProject(message, lab.copies, versions, project);
}

function flakyTests(findings: Findings): FlakyTest[] {
  const wavering = findings.survey?.wavering ?? [];
  const judged = findings.judged.filter(({ finding }) => finding === "flaky");
  return [
    ...wavering.map(({ id, file, name }) => ({ id, file, name, passed: 1, failed: 1 })),
    ...judged.map(({ id, file, name, counts }) => ({ id, file, name, ...counts.before })),
    ...findings.flakyLater.map(({ test, passed, failed }) => ({
      id: test.id,
      file: test.file,
      name: test.name,
      passed: passed.original,
      failed: failed.original,
    })),
  ];
}
