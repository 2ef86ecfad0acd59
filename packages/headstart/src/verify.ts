import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

import {
  killAll,
  removeTemporary,
  renderTable,
  ScreenProgress,
  verify,
  VerifyError,
  type VerifyOptions,
} from "@headstart/verify";

import type { VerifyInvocation } from "./args.js";
import { COMMANDS } from "./commands.js";
import { HeadstartError } from "./errors.js";
import type { Interrupts } from "./interrupts.js";
import { packageVersion } from "./package.js";
import { planSites } from "./plan.js";
import { print } from "./terminal.js";

/** Verifies a project, prints what was found and writes the report. Returns the exit code. */
export async function runVerify(work: VerifyInvocation, interrupts: Interrupts): Promise<number> {
  const options = await optionsOf(work, interrupts.signal);
  const progress = new ScreenProgress(process.stderr);
  const cleanUp = (): void => {
    progress.end();
    killAll();
    removeTemporary();
  };
  interrupts.lastWish = cleanUp;
  process.once("exit", cleanUp);
  try {
    const result = await verify(options, progress);
    await print(renderTable(result));
    return result.outcome === "broken" ? 1 : result.outcome === "verified" ? 0 : 2;
  } catch (error) {
    if (error instanceof VerifyError) throw new HeadstartError(error.message, { cause: error });
    throw error;
  } finally {
    process.off("exit", cleanUp);
  }
}

async function optionsOf(work: VerifyInvocation, signal: AbortSignal): Promise<VerifyOptions> {
  const { values, command } = work;
  const defaults = COMMANDS.verify.options;
  const project = resolve(work.path);
  const level = values.level ?? defaults.level.default;
  const numbers = {
    runs: wholeNumber("runs", values.runs ?? defaults.runs.default, 1),
    warmup: wholeNumber("warmup", values.warmup ?? defaults.warmup.default, 0),
    timeoutMs: 1000 * wholeNumber("timeout", values.timeout ?? defaults.timeout.default, 1),
    latency: latencies(values.latency),
  };
  if (values.resume && values.out === undefined) {
    throw new HeadstartError('"--resume" goes on with the measurements in a folder: name it with --out');
  }
  const { config, deps, models } = values;
  return {
    tool: `headstart ${packageVersion()}`,
    project,
    sites: await planSites({
      ...{ cwd: project, level, config, deps, models },
      includeTests: values["include-tests"],
    }),
    level,
    runner: values.runner ?? defaults.runner.default,
    command: command === null || command.length === 0 ? null : command,
    ...numbers,
    only: values.only ?? null,
    out: values.out === undefined ? newFolder(project) : resolve(values.out),
    resume: values.resume ?? false,
    bisect: values.bisect ?? false,
    signal,
  };
}

function newFolder(project: string): string {
  return mkdtempSync(join(tmpdir(), `headstart-report-${basename(project)}-`));
}

function latencies(text: string | undefined): number[] {
  return (text ?? "").split(",").flatMap((part) => (part === "" ? [] : [wholeNumber("latency", part, 0)]));
}

function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text.trim()) && number >= least && number < 1e6) return number;
  throw new HeadstartError(`"${text}" is not a value of "--${option}"; expected a whole number from ${least}`);
}
