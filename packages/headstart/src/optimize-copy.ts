import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import { optimize, reportLines } from "./optimize.js";
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
  update(source: string): Copied {
    const target = this.#targetOf(source);
    mkdirSync(dirname(target), { recursive: true });
    if (!PROGRAM.test(source) || DECLARATIONS.test(source)) return this.#copy(source, target);
    try {
      return this.#optimize(source, target);
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

  #optimize(source: string, target: string): Copied {
    const name = relative(process.cwd(), source);
    const options = { ...optionsOf(this.#work.values), file: name };
    const { code, map, functions } = optimize(readFileSync(source, "utf8"), options);
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
    let isFolder: boolean;
    try {
      isFolder = lstatSync(path).isDirectory();
    } catch (error) {
      throw new HeadstartError(`${given}: ${messageOf(error)}; check the spelling`);
    }
    if (!isFolder) return [path];
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const file = join(path, entry.name);
      if (entry.isDirectory()) return this.isLeft(file) ? [] : this.#filesOf(file, file);
      return entry.isFile() ? [file] : [];
    });
  }
}

/** Writes a file whole or not at all. */
function replace(target: string, text: string): void {
  const temporary = `${target}.headstart-${String(process.pid)}`;
  writeFileSync(temporary, text);
  renameSync(temporary, target);
}
