import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import { removeLeftovers, temporaryIn } from "./leftovers.js";
import { optimizeAsync, reportLines } from "./optimize.js";
import { optionsOf } from "./optimize-values.js";

const PROGRAM = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/** What became of a file. */
export interface Copied {
  /** A line for each async function. */
  readonly report: string;
  /** Why it could not be optimised; it was copied as it is then. */
  readonly error: HeadstartError | null;
}

/** A file or folder, optimised into another, file by file. */
export class OptimizedCopy {
  /** Where the files come from. */
  readonly from: string;
  /** Where they go. */
  readonly to: string;
  readonly #work: OptimizeInvocation;
  /** What was written for each file. */
  readonly #written = new Map<string, readonly string[]>();
  /** The folders that something has been written into. */
  readonly #entered = new Set<string>();

  constructor(work: OptimizeInvocation) {
    this.#work = work;
    this.from = resolve(work.input);
    this.to = resolve(work.output);
  }

  /**
   * All files.
   *
   * @throws {@link HeadstartError} when there are none of that name.
   */
  files(): string[] {
    return this.#filesOf(this.from, this.#work.input);
  }

  /** Whether a folder is none of the program's: packages, hidden ones, the output. */
  isLeft(folder: string): boolean {
    const name = basename(folder);
    return name === "node_modules" || name.startsWith(".") || folder === this.to;
  }

  /** Writes what a file is to become. */
  async update(source: string): Promise<Copied> {
    const target = this.#targetOf(source);
    this.#enter(dirname(target));
    if (!PROGRAM.test(source) || DECLARATIONS.test(source)) return this.#copy(source, target);
    try {
      return await this.#optimize(source, target);
    } catch (error) {
      if (!(error instanceof HeadstartError)) throw error;
      return { ...this.#copy(source, target), error };
    }
  }

  /** Takes away what was written for a file that is gone; what others wrote stays. */
  remove(source: string): void {
    this.#keep(source, []);
    this.#written.delete(source);
  }

  /** Makes a folder, and clears it of what a killed run has left there. */
  #enter(folder: string): void {
    mkdirSync(folder, { recursive: true });
    if (this.#entered.has(folder)) return;
    removeLeftovers(folder);
    this.#entered.add(folder);
  }

  async #optimize(source: string, target: string): Promise<Copied> {
    const name = relative(process.cwd(), source);
    const options = { ...optionsOf(this.#work.values), file: name };
    // Not on this thread, which signals come to.
    const { code, map, functions } = await optimizeAsync(readFileSync(source, "utf8"), options);
    if (map === null) {
      replace(target, code);
      this.#keep(source, [target]);
    } else {
      const mapFile = `${target}.map`;
      const sources = [relative(dirname(target), source).split(sep).join("/")];
      replace(mapFile, JSON.stringify({ ...map, file: basename(target), sources }));
      replace(target, `${code}\n//# sourceMappingURL=${basename(mapFile)}\n`);
      this.#keep(source, [target, mapFile]);
    }
    return { report: reportLines(name, functions), error: null };
  }

  #copy(source: string, target: string): Copied {
    if (source !== target) copyFileSync(source, target);
    this.#keep(source, [target]);
    return { report: "", error: null };
  }

  /** Notes what was written for a file, and takes away what an earlier time had written more. */
  #keep(source: string, targets: readonly string[]): void {
    for (const file of this.#written.get(source) ?? []) {
      if (!targets.includes(file) && file !== source) rmSync(file, { force: true });
    }
    this.#written.set(source, targets);
  }

  #targetOf(file: string): string {
    const below = relative(this.from, file);
    return below === "" ? this.to : join(this.to, below);
  }

  #filesOf(path: string, given: string): string[] {
    if (!isFolder(path, given)) return [path];
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const file = join(path, entry.name);
      if (entry.isDirectory()) return this.isLeft(file) ? [] : this.#filesOf(file, file);
      return entry.isFile() ? [file] : [];
    });
  }
}

/**
 * Whether a path is that of a folder; links are not followed to folders.
 *
 * @throws {@link HeadstartError} when it is neither that nor a regular file: to read a named pipe
 * would be to wait for whoever writes into it.
 */
function isFolder(path: string, given: string): boolean {
  let isFile: boolean;
  try {
    if (lstatSync(path).isDirectory()) return true;
    const found = statSync(path);
    isFile = found.isFile() || found.isDirectory();
  } catch (error) {
    throw new HeadstartError(`${given}: ${messageOf(error)}; check the spelling`);
  }
  if (isFile) return false;
  throw new HeadstartError(
    `${given}: is not a regular file; save what it gives in a file and name that`,
  );
}

/** Writes a file whole or not at all. */
function replace(target: string, text: string): void {
  const temporary = temporaryIn(dirname(target));
  writeFileSync(temporary, text);
  renameSync(temporary, target);
}
