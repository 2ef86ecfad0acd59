import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import { removeLeftovers } from "./leftovers.js";
import { mistakesIn, optimizeAsync } from "./optimize.js";
import type { OptimizedFunction } from "./optimize-types.js";
import { optionsFor } from "./optimize-values.js";
import { isProgram } from "./program-files.js";
import { copyFile, copyLink, realOf, replace, writeLike } from "./optimize-write.js";
import { mapInFolder } from "./source-maps.js";
import type { Outside } from "./whole.js";

/** What became of a file. */
export interface Copied {
  /** Its name, as messages say it. */
  readonly name: string;
  /** What became of its async functions. */
  readonly functions: readonly OptimizedFunction[];
  /** Why it could not be optimised, or not be copied. */
  readonly error: HeadstartError | null;
  /** What went wrong that is nobody's fault but that of headstart. */
  readonly mistakes: string | null;
}

const COPIED: Copied = { name: "", functions: [], error: null, mistakes: null };

/** A file or folder, optimised into another, file by file. */
export class OptimizedCopy {
  /** Where the files come from. */
  readonly from: string;
  /** Where they go. */
  readonly to: string;
  /** Whether the result takes the place of the input. */
  readonly inPlace: boolean;
  readonly #work: OptimizeInvocation;
  /** What was written for each file. */
  readonly #written = new Map<string, readonly string[]>();
  /** The folders that something has been written into. */
  readonly #entered = new Set<string>();

  /**
   * @throws {@link HeadstartError} when the input is not there, or when the result would overwrite it and
   * `--in-place` does not ask for that.
   */
  constructor(work: OptimizeInvocation) {
    this.#work = work;
    this.from = realOf(resolve(work.input));
    this.to = realOf(resolve(work.output));
    const input = this.#statsOf(this.from);
    const output = this.#statsOfOutput();
    this.#checkKinds(input, output);
    this.inPlace = isSame(input, output) || this.from === this.to;
    if (this.inPlace && work.values.watch === true) {
      throw new HeadstartError(
        "optimize --watch would see its own work; name another place with -o",
      );
    }
    const asked = work.values["in-place"] === true;
    if (this.inPlace && !asked) {
      throw new HeadstartError(
        `${work.output} is ${work.input} itself; name another place with -o, or overwrite it with --in-place`,
      );
    }
    if (asked && !this.inPlace) {
      throw new HeadstartError(
        `--in-place overwrites ${work.input}, but -o names ${work.output}; leave one of them out`,
      );
    }
    if (!this.inPlace) this.files().forEach((file) => this.#checkTarget(file));
  }

  /**
   * All files.
   *
   * @throws {@link HeadstartError} when a folder cannot be read.
   */
  files(): string[] {
    return this.isFolder ? this.#filesOf(this.from) : [this.from];
  }

  /** Whether a folder is optimised, and not one file. */
  get isFolder(): boolean {
    return this.#statsOf(this.from).isDirectory();
  }

  /** Whether a folder is none of the program's: packages, hidden ones, the output. */
  isLeft(folder: string): boolean {
    const name = basename(folder);
    const isOutput = folder === this.to && !this.inPlace;
    return name === "node_modules" || name.startsWith(".") || isOutput;
  }

  /**
   * Writes what a file is to become.
   *
   * @throws {@link HeadstartError} when its place would be one that is read, or cannot be written.
   */
  async update(source: string, outside: Outside): Promise<Copied> {
    const target = this.#checkTarget(source);
    try {
      return await this.#update(source, target, outside);
    } catch (error) {
      throw this.#explained(error, source, target);
    }
  }

  async #update(source: string, target: string, outside: Outside): Promise<Copied> {
    this.#enter(dirname(target));
    if (lstatSync(source).isSymbolicLink()) return this.#copyLink(source, target);
    if (!isProgram(source)) return this.#copy(source, target);
    try {
      return await this.#optimize(source, target, outside);
    } catch (error) {
      if (!(error instanceof HeadstartError)) throw error;
      const message = `${error.message.replace(/\.$/, "")}; it was copied as it is`;
      return { ...this.#copy(source, target), error: new HeadstartError(message) };
    }
  }

  /** What the file system has to say against a place, with the place and what to do about it. */
  #explained(error: unknown, source: string, target: string): unknown {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
    const cause = { cause: error };
    if ("path" in error && error.path === source && !this.inPlace) {
      const name = relative(process.cwd(), source);
      return new HeadstartError(
        `${name} cannot be read: ${messageOf(error)}; make it readable`,
        cause,
      );
    }
    const remedy = this.inPlace
      ? "make its folder writable, or name another place with -o"
      : "name a place that can be written with -o";
    const name = relative(process.cwd(), target);
    return new HeadstartError(`${name} cannot be written: ${messageOf(error)}; ${remedy}`, cause);
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

  async #optimize(source: string, target: string, { known, only }: Outside): Promise<Copied> {
    const name = relative(process.cwd(), source);
    const options = { ...optionsFor(this.#work.values, source), file: name, only };
    // Not on this thread, which signals come to.
    const text = readFileSync(source, "utf8");
    const { code, map, functions } = await optimizeAsync(text, options, known);
    if (map === null) {
      writeLike(source, target, code);
      this.#keep(source, [target]);
    } else {
      const mapFile = `${target}.map`;
      const all = mapInFolder(map, { text, file: source, folder: dirname(target) });
      replace(mapFile, JSON.stringify({ ...all, file: basename(target) }));
      writeLike(source, target, `${code}\n//# sourceMappingURL=${basename(mapFile)}\n`);
      this.#keep(source, [target, mapFile]);
    }
    return { name, functions, error: null, mistakes: mistakesIn(name, functions) };
  }

  #copy(source: string, target: string): Copied {
    if (source !== target) copyFile(source, target);
    this.#keep(source, [target]);
    return COPIED;
  }

  /** Copies a link: it leads to what becomes of a file of the folder, or to where it led. */
  #copyLink(source: string, target: string): Copied {
    try {
      if (source !== target) copyLink(source, target, this.from);
    } catch (error) {
      const name = relative(process.cwd(), source);
      const reason = `${name}: a link that could not be copied: ${messageOf(error)}`;
      return { ...COPIED, error: new HeadstartError(reason) };
    }
    this.#keep(source, [target]);
    return COPIED;
  }

  /** Notes what was written for a file, and takes away what an earlier time had written more. */
  #keep(source: string, targets: readonly string[]): void {
    for (const file of this.#written.get(source) ?? []) {
      if (!targets.includes(file) && file !== source) rmSync(file, { force: true });
    }
    this.#written.set(source, targets);
  }

  /** Whether a link leads to a folder that would be left out if it stood there itself. */
  #isLeftLink(link: string): boolean {
    const stats = statSync(link, { throwIfNoEntry: false });
    return this.isLeft(link) && stats?.isDirectory() === true;
  }

  #targetOf(file: string): string {
    const below = relative(this.from, file);
    return below === "" ? this.to : join(this.to, below);
  }

  /**
   * Where the result for a file goes.
   *
   * @throws {@link HeadstartError} when that is a file that is read.
   */
  #checkTarget(file: string): string {
    const target = this.#targetOf(file);
    // What stands there is replaced, not what it leads to.
    const real =
      file === this.from ? realOf(target) : join(realOf(dirname(target)), basename(target));
    if (this.inPlace || !this.#isInput(real)) return target;
    const name = relative(process.cwd(), target);
    throw new HeadstartError(
      `${name} would be overwritten, which is read, too; name a place outside of ${this.#work.input} with -o`,
    );
  }

  /** Whether a file is one of those that are read, or would be the next time. */
  #isInput(file: string): boolean {
    const below = relative(this.from, file);
    if (below === "") return true;
    if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) return false;
    const parts = below.split(sep);
    const folders = parts.slice(0, -1).map((_, at) => join(this.from, ...parts.slice(0, at + 1)));
    return !folders.some((folder) => this.isLeft(folder));
  }

  #statsOf(path: string): Stats {
    try {
      return statSync(path);
    } catch (error) {
      throw new HeadstartError(`${this.#work.input}: ${messageOf(error)}; check the spelling`);
    }
  }

  #statsOfOutput(): Stats | undefined {
    try {
      return statSync(this.to, { throwIfNoEntry: false });
    } catch (error) {
      throw new HeadstartError(
        `${this.#work.output} cannot be written: ${messageOf(error)}; name a place that can be written with -o`,
        { cause: error },
      );
    }
  }

  #checkKinds(input: Stats, output: Stats | undefined): void {
    const { input: from, output: to } = this.#work;
    if (!input.isFile() && !input.isDirectory()) {
      throw new HeadstartError(
        `${from}: is not a regular file; save what it gives in a file and name that`,
      );
    }
    if (output === undefined || input.isDirectory() === output.isDirectory()) return;
    throw new HeadstartError(
      output.isDirectory()
        ? `${to} is a folder; name the file, as in "-o ${join(to, basename(from))}"`
        : `${to} is a file, and ${from} is a folder; name a folder with -o`,
    );
  }

  #filesOf(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = join(folder, entry.name);
      if (entry.isDirectory()) return this.isLeft(file) ? [] : this.#filesOf(file);
      return entry.isFile() || (entry.isSymbolicLink() && !this.#isLeftLink(file)) ? [file] : [];
    });
  }
}

/** Whether two paths lead to one file, by whatever name. */
function isSame(a: Stats, b: Stats | undefined): boolean {
  return b !== undefined && a.ino !== 0 && a.ino === b.ino && a.dev === b.dev;
}
