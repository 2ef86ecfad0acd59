import { cpus } from "node:os";

import type {
  Agreement,
  BrokenTest,
  FlakyTest,
  LatencyRow,
  Machine,
  Site,
  TestResult,
  Timeline,
  VerifyResult,
} from "@headstart/report";

import type { Judged } from "./judge.js";
import type { VerifyOptions } from "./options.js";
import type { TestRun } from "./records.js";
import type { Session } from "./session.js";
import { analyse, summarise } from "./statistics/index.js";
import type { Survey } from "./survey.js";
import { notesOf } from "./notes.js";
import type { ScheduleFindings } from "./schedules.js";
import type { TimedTest, Timings } from "./timing.js";
import { inProject } from "./traces.js";

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
    return [...this.judged.filter(({ isBroken }) => isBroken), ...(this.scheduled?.broken ?? [])];
  }

  /** Tests that execute a rewritten site, and say the same whenever they run. */
  get affected(): readonly TestRun[] {
    const judged = new Set(this.judged.map(({ id }) => id));
    const passing = this.survey?.passing ?? [];
    return passing.filter((it) => it.sites.length > 0 && it.ms !== null && !judged.has(it.id));
  }

  /** Timed tests that never failed. */
  steady(timings: Timings | undefined): readonly TimedTest[] {
    const tests = timings?.tests ?? [];
    return tests.filter(({ failed }) => failed.original === 0 && failed.rewritten === 0);
  }

  /** Tests that failed in timed runs of the rewritten copy only. */
  get brokenLater(): readonly TimedTest[] {
    return this.timings?.brokenOnly ?? [];
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
  const tests = survey.passing.length;
  return {
    tests,
    agreeing: Math.max(0, tests - broken.length),
    affected: survey.passing.filter(({ sites }) => sites.length > 0).length,
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
    const { before, after } = counts;
    const times =
      after.passed === 0
        ? ""
        : `failed in ${after.failed} of ${after.failed + after.passed} runs, ` +
          `before the rewrite in none of ${before.passed}\n`;
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
  return findings.brokenLater.map(({ test, how, message, passed, failed }) => ({
    id: test.id,
    file: test.file,
    name: test.name,
    how,
    message:
      `failed in ${failed.rewritten} of ${failed.rewritten + passed.rewritten} runs, ` +
      `before the rewrite in none of ${passed.original}\n${explained(session, options, message)}`,
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
  const judged = findings.judged.filter(({ isBroken }) => !isBroken);
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
