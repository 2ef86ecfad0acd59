import { existsSync, realpathSync, renameSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";

import { many, size, traceReportHtml, type TraceReport, whole } from "@headstart/report";
import {
  isTrace,
  recordCommand,
  recordedBy,
  recordPage,
  type Summary,
  TraceError,
} from "@headstart/trace";
import { messageOf } from "@headstart/verify/errors";

import type { TraceInvocation } from "./trace-args.js";
import { HeadstartError } from "./errors.js";
import type { Interrupts } from "./interrupts.js";
import { wholeNumber } from "./numbers.js";
import { packageFile } from "./package.js";
import { loadTraceAddon } from "./native.js";
import { keepAllBut, PAGE, printOrWrite, written } from "./out-file.js";
import { checkIsThere, measureTraces } from "./profile.js";
import { races } from "./trace-races.js";
import { detectDisplay, print, printError } from "./terminal.js";
import { printable, traceTables } from "./trace-tables.js";

/** What exports begin with: the list of events, and a packet. */
const [CHROME, PERFETTO] = ['{"displayTimeUnit"', "\n"];
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
  const file = realPath(resolve(work.values.out ?? "headstart.trace"));
  keepOthers(file);
  interrupts.graceMs = RECORD_GRACE_MS;
  const [url] = work.files;
  const { summary, exitCode } = await inPlainWords(() =>
    replacing(file, () =>
      url === undefined ? ofCommand(work, file, interrupts) : ofPage(url, work, file, interrupts),
    ),
  );
  // The command's own output is on the standard output.
  await printError(recordedText(summary, file));
  if (interrupts.happened()) interrupts.exitCode = 0;
  return exitCode;
}

/** Writes a new trace; where that fails, the one that was there before is there again. */
async function replacing<T>(file: string, write: () => Promise<T>): Promise<T> {
  const before = `${file}.${process.pid}.before`;
  const hadOne = existsSync(file);
  if (hadOne) renameSync(file, before);
  try {
    const result = await write();
    rmSync(before, { force: true });
    return result;
  } catch (error) {
    rmSync(file, { force: true });
    if (hadOne) renameSync(before, file);
    throw error;
  }
}

interface Outcome {
  readonly summary: Summary;
  readonly exitCode: number;
}

async function ofCommand(
  { command, values }: TraceInvocation,
  file: string,
  interrupts: Interrupts,
): Promise<Outcome> {
  const summary = await recordCommand({
    command: command ?? [],
    file,
    sites: values.sites ?? "sampled",
    ...limit(values.seconds),
    setup: packageFile("dist/trace-setup.cjs"),
    signal: interrupts.signal,
    handOn: () => toHandOn(interrupts),
  });
  return { summary, exitCode: summary.stopped ? 0 : summary.exitCode };
}

async function ofPage(
  url: string,
  { values }: TraceInvocation,
  file: string,
  interrupts: Interrupts,
): Promise<Outcome> {
  const summary = await recordPage({
    url,
    file,
    ...limit(values.seconds),
    ...(values.script !== undefined && { script: values.script }),
    signal: interrupts.signal,
    note: (text) => void printError(`note: ${printable(text)}\n`),
  });
  return { summary, exitCode: 0 };
}

function limit(seconds: string | undefined): { readonly seconds?: number } {
  return seconds === undefined ? {} : { seconds: wholeNumber("seconds", seconds, 1) };
}

/** A key press reaches the command, too. */
function toHandOn(interrupts: Interrupts): NodeJS.Signals | undefined {
  if (interrupts.exitCode !== 130) return "SIGTERM";
  return process.stdin.isTTY ? undefined : "SIGINT";
}

/** Nothing but a trace is written over. */
function keepOthers(file: string): void {
  if (existsSync(file)) {
    if (!isTrace(file)) {
      throw new HeadstartError(`${file} is there and is no trace; name another file with --out`);
    }
    const other = recordedBy(file);
    if (other !== undefined) {
      throw new HeadstartError(
        `${file} is being recorded by process ${other}; name another file with --out`,
      );
    }
  }
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw new HeadstartError(`the folder ${folder} is not there; make it, or name another file`);
  }
}

/** What a link leads to. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function recordedText({ events, threads, bytes }: Summary, file: string): string {
  const shown = relative(process.cwd(), file);
  return (
    `\nRecorded ${whole(events)} events of ${many(threads, "thread")} in ${shown} (${size(bytes)}).\n` +
    `See where it waits: headstart trace report ${shown}\n`
  );
}

async function report(work: TraceInvocation, interrupts: Interrupts): Promise<number> {
  const files = [...new Set(work.files.map((file) => resolve(file)))];
  const json = await measureTraces(files);
  if (interrupts.happened()) return 0;
  interrupts.dispose();
  const { format, out } = work.values;
  if (format === "json") {
    await printOrWrite(json, out);
    return 0;
  }
  const measures = JSON.parse(json) as TraceReport;
  const page = resolve(out ?? `${files[0] ?? ""}.html`);
  keepAllBut(PAGE, page);
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
  checkIsThere(file);
  keepAllBut(chrome ? CHROME : PERFETTO, out);
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
  const html = await traceReportHtml(measures);
  await written(page, () => writeFile(page, html));
}

async function inPlainWords<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TraceError) throw new HeadstartError(error.message, { cause: error });
    throw error;
  }
}
