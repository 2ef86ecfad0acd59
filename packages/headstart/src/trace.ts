import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";

import { many, size, traceReportHtml, type TraceReport, whole } from "@headstart/report";
import { isTrace, recordCommand, type Recorded, TraceError } from "@headstart/trace";
import { messageOf } from "@headstart/verify/errors";

import type { TraceInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import type { Interrupts } from "./interrupts.js";
import { wholeNumber } from "./numbers.js";
import { packageFile } from "./package.js";
import { loadTraceAddon } from "./native.js";
import { measureTraces } from "./profile.js";
import { races } from "./trace-races.js";
import { detectDisplay, print, printError } from "./terminal.js";
import { traceTables } from "./trace-tables.js";

/** How long a recorded command may take to end after an interrupt, in milliseconds. */
const RECORD_GRACE_MS = 6000;

/** Records a command or reports a trace. Returns the exit code. */
export async function runTrace(work: TraceInvocation, interrupts: Interrupts): Promise<number> {
  switch (work.action) {
    case "record":
      return record(work, interrupts);
    case "report":
      return report(work, interrupts);
    case "export":
      return exportTo(work, interrupts);
  }
}

async function record(work: TraceInvocation, interrupts: Interrupts): Promise<number> {
  const { values } = work;
  const file = resolve(values.out ?? "headstart.trace");
  keepOthers(file);
  interrupts.graceMs = RECORD_GRACE_MS;
  const recorded = await inPlainWords(() =>
    recordCommand({
      command: work.command ?? [],
      file,
      sites: values.sites ?? "sampled",
      ...(values.seconds !== undefined && { seconds: wholeNumber("seconds", values.seconds, 1) }),
      setup: packageFile("dist/trace-setup.cjs"),
      signal: interrupts.signal,
      handOn: () => toHandOn(interrupts),
    }),
  );
  // The command's own output is on the standard output.
  await printError(recordedText(recorded, file));
  if (interrupts.happened()) interrupts.exitCode = 0;
  return recorded.stopped ? 0 : recorded.exitCode;
}

/** A key press reaches the command, too. */
function toHandOn(interrupts: Interrupts): NodeJS.Signals | undefined {
  if (interrupts.exitCode !== 130) return "SIGTERM";
  return process.stdin.isTTY ? undefined : "SIGINT";
}

/** Nothing but a trace is written over. */
function keepOthers(file: string): void {
  if (existsSync(file) && !isTrace(file)) {
    throw new HeadstartError(`${file} is there and is no trace; name another file with --out`);
  }
}

function recordedText({ events, threads, bytes }: Recorded, file: string): string {
  const shown = relative(process.cwd(), file);
  return (
    `\nRecorded ${whole(events)} events of ${many(threads, "thread")} in ${shown} (${size(bytes)}).\n` +
    `See where it waits: headstart trace report ${shown}\n`
  );
}

async function report(work: TraceInvocation, interrupts: Interrupts): Promise<number> {
  const files = work.files.map((file) => resolve(file));
  const json = await measureTraces(files);
  if (interrupts.happened()) return 0;
  interrupts.dispose();
  if (work.values.format === "json") {
    await print(`${json}\n`);
    return 0;
  }
  const measures = JSON.parse(json) as TraceReport;
  const page = resolve(work.values.out ?? `${files[0] ?? ""}.html`);
  await writePage(page, measures);
  await print(traceTables(measures, detectDisplay().width));
  if (work.values.project !== undefined) await print(await races(work.values.project, measures));
  await print(`\nPage: ${relative(process.cwd(), page)}\n`);
  return 0;
}

async function exportTo(work: TraceInvocation, interrupts: Interrupts): Promise<number> {
  const file = resolve(work.files[0] ?? "");
  const chrome = work.values.format === "chrome";
  const out = resolve(work.values.out ?? `${file}.${chrome ? "json" : "pftrace"}`);
  try {
    await loadTraceAddon().exportTrace(file, out, !chrome);
  } catch (error) {
    throw new HeadstartError(`${file} cannot be exported to ${out}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (interrupts.happened()) return 0;
  const viewer = chrome
    ? "chrome://tracing or ui.perfetto.dev opens it"
    : "ui.perfetto.dev opens it";
  await print(`${relative(process.cwd(), out)}: ${viewer}\n`);
  return 0;
}

async function writePage(page: string, measures: TraceReport): Promise<void> {
  try {
    await writeFile(page, await traceReportHtml(measures));
  } catch (error) {
    throw new HeadstartError(`the page cannot be written to ${page}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function inPlainWords<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TraceError) throw new HeadstartError(error.message, { cause: error });
    throw error;
  }
}
