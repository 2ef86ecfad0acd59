import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { basename, dirname, join } from "node:path";

import { list, makeCopy, workspaceOf } from "@headstart/verify/copies";
import { makeScratch, removeScratch } from "@headstart/verify/scratch";
import { sourcesOf } from "@headstart/verify/sources";
import picomatch from "picomatch";

import { type Evidence, evidenceOf, observationsOf } from "./evidence.js";
import { type ObservedAwait, withObservation } from "./instrument.js";
import type { Told } from "./recorder/setup.js";

/** The most files in which awaits are observed. */
const MOST_SOURCES = 30_000;

/** What to observe, and how. */
export interface ObserveOptions {
  /** What asks: `headstart 0.1.0`. */
  readonly tool: string;
  /** The folder of the project. Absolute. */
  readonly project: string;
  /** The command that runs it, such as that of its tests. */
  readonly command: readonly string[];
  /** The file to write. Absolute. */
  readonly out: string;
  /** What each process loads first: the bundle of `recorder/setup.ts`. */
  readonly setup: string;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface Observed {
  readonly evidence: Evidence;
  /** Of the command. */
  readonly exitCode: number;
  /** Whether it is in the file: a former recording is kept where there is nothing new, or only a part. */
  readonly isWritten: boolean;
  /** Files in which nothing is observed, since they cannot be parsed. */
  readonly unread: readonly string[];
}

/**
 * Runs a command in a copy of a project in which all awaits say when they run, and writes what each of them was seen to do. The
 * project itself is only read, but for that file.
 *
 * @throws where the copy cannot be made, or the command cannot be started.
 */
export async function observe(options: ObserveOptions): Promise<Observed> {
  const { project, out, tool, command } = options;
  const root = await workspaceOf(project, (glob, path) => picomatch.isMatch(path, glob));
  const source = { root, project, without: [dirname(out)] };
  const scratch = await makeScratch();
  try {
    const listing = await list(source);
    const copy = await makeCopy("original", source, listing, join(scratch, basename(root)));
    const { texts, awaits, unread } = instrumented(await sourcesOf(project, MOST_SOURCES));
    await copy.install(texts);
    const records = join(scratch, "records.jsonl");
    const exitCode = await run(options, copy.project, { records, project: copy.project });
    const text = existsSync(records) ? readFileSync(records, "utf8") : "";
    const evidence = evidenceOf({
      ...{ tool, project, out, share: 1 },
      command: command.map((it, index) => (index === 0 ? basename(it) : withoutValue(it))),
      awaits: observationsOf(text, awaits),
    });
    // What was recorded before is better than nothing, or a part.
    const isWhole = evidence.awaits.length > 0 && !options.signal.aborted;
    if (!isWhole && existsSync(out)) return { evidence, exitCode, unread, isWritten: false };
    await mkdir(dirname(out), { recursive: true });
    await writeFile(out, `${JSON.stringify(evidence, null, 1)}\n`);
    return { evidence, exitCode, unread, isWritten: true };
  } finally {
    await removeScratch(scratch);
  }
}

/** An argument of a command, if it is a word, an option, or the name of a script: others may be anything. */
function withoutValue(argument: string): string {
  return /^(?:--?)?[a-z]{1,12}(?:[-:][a-z]{1,12}){0,3}$|^-[a-zA-Z]$/.test(argument)
    ? argument
    : ":value";
}

function instrumented(sources: ReadonlyMap<string, string>): {
  readonly texts: ReadonlyMap<string, string>;
  readonly awaits: readonly ObservedAwait[];
  readonly unread: readonly string[];
} {
  const texts = new Map<string, string>();
  const awaits: ObservedAwait[] = [];
  const unread: string[] = [];
  for (const [file, text] of sources) {
    try {
      const made = withObservation(file, text, awaits.length);
      texts.set(file, made.text);
      awaits.push(...made.awaits);
    } catch {
      unread.push(file);
    }
  }
  return { texts, awaits, unread };
}

/** Runs the command in the copy, in a process group of its own that ends with it; returns its exit code. */
async function run(
  { command, setup, signal }: ObserveOptions,
  cwd: string,
  told: Told,
): Promise<number> {
  const [program = "", ...rest] = command;
  const before = process.env["NODE_OPTIONS"] ?? "";
  const child = spawn(program, rest, {
    cwd,
    stdio: "inherit",
    detached: process.platform !== "win32",
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      NODE_OPTIONS: `${before} --require ${JSON.stringify(setup)}`.trim(),
      HEADSTART_OBSERVE: JSON.stringify(told),
    },
  });
  const stop = (): void => {
    end(child.pid, "SIGTERM");
  };
  signal.addEventListener("abort", stop);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, killedBy) => {
        resolve(code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy]));
      });
    });
  } finally {
    signal.removeEventListener("abort", stop);
    // What it has left behind would write into a folder that is gone.
    end(child.pid, "SIGKILL");
  }
}

function end(group: number | undefined, signal: NodeJS.Signals): void {
  if (group === undefined) return;
  try {
    process.kill(process.platform === "win32" ? group : -group, signal);
  } catch {
    // All of it has ended.
  }
}
