import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

import type { VerifyResult } from "@headstart/report";
import {
  importFiles,
  importFolder,
  importTable,
  killAll,
  removeIfEmpty,
  removeTemporary,
  renderTable,
  ScreenProgress,
  verify,
  VerifyError,
  type VerifyOptions,
} from "@headstart/verify";
import { messageOf } from "@headstart/verify/errors";

import type { VerifyInvocation } from "./args.js";
import { COMMANDS } from "./commands.js";
import { HeadstartError } from "./errors.js";
import type { Interrupts } from "./interrupts.js";
import { wholeNumber } from "./numbers.js";
import { packageVersion } from "./package.js";
import { planSites } from "./plan.js";
import { detectDisplay, print } from "./terminal.js";
import { writeReport } from "./verify-report.js";

/** How long an interrupted verification may take to end its processes and to report. */
const VERIFY_GRACE_MS = 700;

const TOOL = `headstart ${packageVersion()}`;

/** Verifies a project, prints what was found and writes the report. Returns the exit code. */
export async function runVerify(work: VerifyInvocation, interrupts: Interrupts): Promise<number> {
  if (work.values.import) return runImport(work);
  const { options, likely } = await optionsOf(work, interrupts.signal);
  if (options.sites.length === 0) {
    await print(`Nothing to verify: no rewrite here is ${options.level}.\n`);
    await print(likely === 0 ? "" : `${leftOut(likely)}\n`);
    return 0;
  }
  const out = folderOf(work.values.out, basename(options.project));
  try {
    const result = await measured({ ...options, out }, interrupts, likely);
    // What is left to do is short, and a signal may end it.
    interrupts.dispose();
    await print(renderTable(result, detectDisplay().width));
    await print(`\nReport: ${await writeReport([result], out)}\n`);
    return exitCode(result);
  } finally {
    // Where nothing could be measured, the folder was made for nothing.
    if (work.values.out === undefined) removeIfEmpty(out);
  }
}

function exitCode({ outcome }: VerifyResult): number {
  return { verified: 0, imported: 0, broken: 1, "not-run": 2 }[outcome];
}
/** What is said of rewrites that the level leaves out. */
function leftOut(likely: number): string {
  const [rewrites, them] = likely === 1 ? ["rewrite is", "it"] : ["rewrites are", "them"];
  return (
    `${likely} ${rewrites} likely to be right, but not sure, and left out: ` +
    `"headstart verify --level likely" includes ${them}.`
  );
}

async function measured(
  options: VerifyOptions,
  interrupts: Interrupts,
  likely: number,
): Promise<VerifyResult> {
  const progress = new ScreenProgress(process.stderr);
  const cleanUp = (): void => {
    progress.end();
    killAll();
    removeTemporary();
  };
  // The terminal was closed: the same as being told to end.
  const hangUp = (): void => {
    interrupts.receive("SIGTERM");
  };
  // Processes have to be ended and copies removed, which takes a moment.
  interrupts.graceMs = VERIFY_GRACE_MS;
  interrupts.lastWish = () => {
    cleanUp();
    process.stdout.write("Interrupted.\n");
  };
  process.once("exit", cleanUp);
  process.on("SIGHUP", hangUp);
  try {
    const result = await verify(options, progress);
    return likely === 0 ? result : { ...result, notes: [...result.notes, leftOut(likely)] };
  } catch (error) {
    if (!(error instanceof VerifyError)) throw error;
    throw new HeadstartError(error.message, { cause: error });
  } finally {
    process.off("exit", cleanUp);
    process.off("SIGHUP", hangUp);
  }
}

/** Judges timings that were taken elsewhere, and writes the same report. */
async function runImport({ paths, values }: VerifyInvocation): Promise<number> {
  const settings = { tool: TOOL, createdAt: new Date().toISOString() };
  const [first = "", second] = paths.map((path) => resolve(path));
  let results: VerifyResult[];
  try {
    results =
      second === undefined
        ? await importFolder(first, settings)
        : [await importFiles(first, second, settings)];
  } catch (error) {
    throw new HeadstartError(messageOf(error), { cause: error });
  }
  await print(importTable(results));
  await print(`\nReport: ${await writeReport(results, folderOf(values.out, "import"))}\n`);
  return 0;
}

/** What is to be verified and how; where the report goes is said when there is something to report. */
async function optionsOf(
  work: VerifyInvocation,
  signal: AbortSignal,
): Promise<{ options: Omit<VerifyOptions, "out">; likely: number }> {
  const { values, command } = work;
  const { config, deps, evidence, models } = values;
  const defaults = COMMANDS.verify.options;
  const project = resolve(work.paths[0] ?? ".");
  const level = values.level ?? defaults.level.default;
  if (values.resume && values.out === undefined) {
    throw new HeadstartError('"--resume" goes on with measurements: name their folder with --out');
  }
  const numbers = {
    runs: wholeNumber("runs", values.runs ?? defaults.runs.default, 1),
    warmup: wholeNumber("warmup", values.warmup ?? defaults.warmup.default, 0),
    timeoutMs: 1000 * wholeNumber("timeout", values.timeout ?? defaults.timeout.default, 1),
    latency: latencies(values.latency),
  };
  const includeTests = values["include-tests"];
  const plan = { cwd: project, level, config, deps, evidence, models, includeTests };
  const { sites, likely } = await planSites(plan);
  const options = {
    tool: TOOL,
    project,
    sites,
    level,
    runner: values.runner ?? defaults.runner.default,
    command,
    ...numbers,
    ...schedulesOf(values),
    only: values.only ?? null,
    resume: values.resume ?? false,
    bisect: values.bisect ?? false,
    signal,
  };
  return { options, likely };
}

/** The schedules that are asked for. */
function schedulesOf({
  schedules,
  seed,
  ...values
}: VerifyInvocation["values"]): Pick<VerifyOptions, "seeds" | "fail"> {
  const fail = values.fail ?? false;
  if (seed !== undefined) return { seeds: [wholeNumber("seed", seed, 1)], fail };
  const count = schedules === undefined ? 0 : wholeNumber("schedules", schedules, 1);
  if (fail && count === 0) {
    throw new HeadstartError(
      '"--fail" makes operations fail in schedules: say how many, as in --schedules 50',
    );
  }
  return { seeds: Array.from({ length: count }, (_, index) => index + 1), fail };
}

/** The folder asked for, or a new one: nothing is written into a project unasked. */
function folderOf(given: string | undefined, name: string): string {
  return given === undefined
    ? mkdtempSync(join(tmpdir(), `headstart-report-${name}-`))
    : resolve(given);
}

function latencies(text = ""): number[] {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  return [...new Set(parts.map((part) => wholeNumber("latency", part.trim(), 0)))].sort(
    (a, b) => a - b,
  );
}
