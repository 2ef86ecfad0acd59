import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";

import {
  type Copy,
  environmentIn,
  list,
  makeCopy,
  pathsIn,
  type Source,
  workspaceOf,
} from "@headstart/verify/copies";
import { makeScratch, removeScratch } from "@headstart/verify/scratch";
import { sourcesOf } from "@headstart/verify/sources";
import picomatch from "picomatch";

import { withoutValues } from "./command.js";
import { type Evidence, evidenceOf, observationsOf } from "./evidence.js";
import { type ObservedAwait, withObservation } from "./instrument.js";
import type { Told } from "./recorder/setup.js";
import { Signals } from "./signals.js";
import { makeSurroundings } from "./surroundings.js";

/** The most files in which awaits are observed. */
const MOST_SOURCES = 30_000;
/** Where recordings lie, as a rule: the program has no use for them. */
const FOLDER = ".headstart";
/** Where processes write what they see, beside the copy. */
const RECORDS = "records.jsonl";

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
  /** Those in which nothing is observed, since functions and calls in them stand in each other more deeply than can be followed. */
  readonly tooDeep: readonly string[];
  /** How often a process has written what is no recording: what it has seen is missing. */
  readonly damaged: number;
  /** Whether the command was killed: it did not end when a signal had asked it to, or there was another one. */
  readonly isKilled: boolean;
}

/**
 * Runs a command in a copy of a project in which all awaits say when they run, and writes what each of them was seen to do. The
 * project itself is only read, but for that file. Signals that ask this process to end are handed on to the command.
 *
 * @throws where the copy cannot be made, or the command cannot be started, and {@link Interrupted} where a signal came first.
 */
export async function observe(options: ObserveOptions): Promise<Observed> {
  const signals = new Signals();
  const scratch = await makeScratch();
  try {
    const made = await prepared(options, scratch, signals.signal);
    signals.signal.throwIfAborted();
    const exitCode = await signals.during(started(options, made), join(basename(scratch), RECORDS));
    return await written(options, made, { exitCode, isKilled: signals.hasKilled });
  } finally {
    await removeScratch(scratch);
    signals.dispose();
  }
}

/** What was made of the files of a project. */
interface Instrumented {
  readonly texts: ReadonlyMap<string, string>;
  readonly awaits: readonly ObservedAwait[];
  readonly unread: readonly string[];
  readonly tooDeep: readonly string[];
}

/** The copy, and what is in it. */
interface Prepared extends Omit<Instrumented, "texts"> {
  readonly copy: Copy;
  readonly source: Source;
  /** Where processes write what they see. */
  readonly records: string;
}

async function prepared(
  { project, out }: ObserveOptions,
  scratch: string,
  signal: AbortSignal,
): Promise<Prepared> {
  const root = await workspaceOf(project, (glob, path) => picomatch.isMatch(path, glob));
  const source = { root, project, without: [join(project, FOLDER), out] };
  const listing = await list(source);
  const place = await makeSurroundings(root, scratch);
  const copy = await makeCopy("original", source, listing, place, undefined, signal);
  const sources = await sourcesOf(project, MOST_SOURCES);
  const { texts, ...rest } = await instrumented(sources, signal);
  await copy.install(texts);
  return { copy, source, ...rest, records: join(scratch, RECORDS) };
}

async function instrumented(
  sources: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Instrumented> {
  const texts = new Map<string, string>();
  const awaits: ObservedAwait[] = [];
  const [unread, tooDeep]: [string[], string[]] = [[], []];
  for (const [file, text] of sources) {
    // A signal is seen in between only.
    await setImmediate();
    signal.throwIfAborted();
    try {
      const made = withObservation(file, text, awaits.length);
      texts.set(file, made.text);
      for (const it of made.awaits) awaits.push(it);
    } catch (error) {
      // Trees are followed by functions that call themselves.
      (error instanceof RangeError ? tooDeep : unread).push(file);
    }
  }
  return { texts, awaits, unread, tooDeep };
}

/** Starts the command in the copy, in a session of its own. */
function started(
  { command, setup }: ObserveOptions,
  { copy, source, records }: Prepared,
): ChildProcess {
  const inCopy = pathsIn(copy, source);
  const [program = "", ...rest] = command.map(inCopy);
  const told: Told = { records, project: copy.project };
  const variables = environmentIn(copy, source, process.env);
  return spawn(program, rest, {
    cwd: copy.project,
    stdio: "inherit",
    detached: process.platform !== "win32",
    env: {
      ...variables,
      NODE_TEST_CONTEXT: undefined,
      NODE_OPTIONS: `${variables["NODE_OPTIONS"] ?? ""} --require ${JSON.stringify(setup)}`.trim(),
      HEADSTART_OBSERVE: JSON.stringify(told),
    },
  });
}

async function written(
  { project, out, tool, command }: ObserveOptions,
  { awaits, records, unread, tooDeep }: Prepared,
  ended: Pick<Observed, "exitCode" | "isKilled">,
): Promise<Observed> {
  const text = existsSync(records) ? readFileSync(records, "utf8") : "";
  const { seen, damaged } = observationsOf(text, awaits);
  const evidence = evidenceOf({
    ...{ tool, project, out, share: 1 },
    command: withoutValues(command, project),
    awaits: seen,
  });
  const observed = { evidence, ...ended, unread, tooDeep, damaged };
  // What was recorded before is better than nothing, or a part.
  const isWhole = evidence.awaits.length > 0 && !ended.isKilled;
  if (!isWhole && existsSync(out)) return { ...observed, isWritten: false };
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, `${JSON.stringify(evidence, null, 1)}\n`);
  return { ...observed, isWritten: true };
}
