import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { type CpuProfiles } from "./cpu-profile-files.js";
import { RECORD } from "./cpu-profile.js";
import type { OptimizedFunction, StartPosition } from "./optimize-types.js";
import { realOf } from "./optimize-write.js";

/** An async function of a file of the program. */
export interface FunctionInFile {
  /** The absolute path. */
  readonly file: string;
  readonly function: OptimizedFunction;
}

/** What a file, or a function of it, has of a profile. */
interface Own {
  microseconds: number;
  samples: number;
}

const NOTHING: Readonly<Own> = { microseconds: 0, samples: 0 };

/** What CPU profiles say of the files of a program. */
export class ProfiledProgram {
  /** All that is sampled, whatever file it is of; what waits is not. */
  readonly all: Readonly<Own>;
  readonly #names: readonly string[];
  readonly #files = new Map<string, Own>();
  /** By file, and by where functions begin in it. */
  readonly #functions = new Map<string, Own>();

  /** `files`: the absolute paths of the program; `folders`: where relative ones may begin. */
  constructor(
    { names, frames }: CpuProfiles,
    files: readonly string[],
    folders: readonly string[],
  ) {
    const fileOf = fileFinder(new Set(files), folders);
    const all = { ...NOTHING };
    for (const frame of frames) {
      add(all, frame);
      const file = fileOf(frame.url);
      if (file === undefined) continue;
      add(entry(this.#files, file), frame);
      add(entry(this.#functions, keyOf(file, frame)), frame);
    }
    this.all = all;
    this.#names = names;
  }

  /** How long a function ran, without those that it called, in microseconds. */
  timeOf({ file, function: { startPosition } }: FunctionInFile): number {
    return (this.#functions.get(keyOf(file, startPosition)) ?? NOTHING).microseconds;
  }

  /** How long the code of a file ran, in microseconds. */
  timeIn(file: string): number {
    return (this.#files.get(file) ?? NOTHING).microseconds;
  }

  /** A time, as a share of all that is sampled. */
  shareOf(microseconds: number): string {
    return percent(microseconds, this.all.microseconds);
  }

  /** How much of the profile is about a program called `program`, and what to do where nothing is. */
  matched(program: string, functions: readonly FunctionInFile[]): string {
    const all = String(this.all.samples);
    const inFiles = [...this.#files.values()].reduce((sum, it) => sum + it.samples, 0);
    const keys = new Set(functions.map((it) => keyOf(it.file, it.function.startPosition)));
    const samples = [...keys].map((key) => (this.#functions.get(key) ?? NOTHING).samples);
    const inFunctions = samples.reduce((sum, it) => sum + it, 0);
    const of = `${this.#names.join(", ")}: ${String(inFiles)} of ${all} samples are in files of ${program}`;
    if (inFiles === 0) return `warning: ${of}: the profile is of other files; ${REMEDY}\n`;
    const async_ = `${of}, ${String(inFunctions)} of them in async functions`;
    if (inFunctions > 0) return `note: ${async_}\n`;
    return `warning: ${async_}: none is busy, or the files are others than those that ran; ${REMEDY}\n`;
  }
}

const REMEDY = `${RECORD}, of a run of these very files`;

/** A part of a whole, in percent. */
export function percent(part: number, whole: number): string {
  return `${(whole > 0 ? (100 * part) / whole : 0).toFixed(1)}%`;
}

const keyOf = (file: string, { line, column }: StartPosition) =>
  `${file}:${String(line)}:${String(column)}`;

function entry(of: Map<string, Own>, key: string): Own {
  const own = of.get(key) ?? { ...NOTHING };
  of.set(key, own);
  return own;
}

function add(own: Own, { microseconds, samples }: Readonly<Own>): void {
  own.microseconds += microseconds;
  own.samples += samples;
}

/** What finds the file of a program that code was loaded from. */
function fileFinder(files: ReadonlySet<string>, folders: readonly string[]) {
  const known = new Map<string, string | undefined>();
  return (url: string): string | undefined => {
    if (!known.has(url)) {
      const paths = pathsOf(url, folders);
      const found = paths.find((path) => files.has(path));
      known.set(url, found ?? paths.map(realOf).find((path) => files.has(path)));
    }
    return known.get(url);
  };
}

/** What the engine may mean: a file by its URL or path, or what a server has under a path. */
function pathsOf(url: string, folders: readonly string[]): string[] {
  if (url === "") return [];
  if (isAbsolute(url)) return [url];
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null) return folders.map((folder) => resolve(folder, url));
  try {
    if (parsed.protocol === "file:") return [fileURLToPath(parsed)];
    if (!/^https?:$/.test(parsed.protocol)) return [];
    const path = decodeURIComponent(parsed.pathname);
    return folders.map((folder) => resolve(folder, `.${path}`));
  } catch {
    // A URL of another machine, or one that names no file.
    return [];
  }
}
