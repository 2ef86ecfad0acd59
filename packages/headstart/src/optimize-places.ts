import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import { isDescriptor, isOutlet, realOf, statsAt } from "./optimize-write.js";

const TYPED = /^\.[cm]?tsx?$/;
const UNTYPED = /^\.[cm]?jsx?$/;

/** Where the files of a run come from, and where they go. */
export class Places {
  /** Where the files come from. */
  readonly from: string;
  /** Where they go. */
  readonly to: string;
  /** Whether a folder is optimised, and not one file. */
  readonly isFolder: boolean;
  /** Whether the result takes the place of the input. */
  readonly inPlace: boolean;
  /** What {@link files} found last that is no file, folder or link, such as pipes. */
  readonly leftOut = new Set<string>();
  readonly #work: OptimizeInvocation;
  /** Whether one file goes to what stands where it is: a pipe, a device. */
  readonly #isIntoOutlet: boolean;

  /**
   * @throws {@link HeadstartError} when the input is not there, when the result has no place at the output, or would
   * overwrite the input and `--in-place` does not ask for that.
   */
  constructor(work: OptimizeInvocation) {
    this.#work = work;
    const output = resolve(work.output);
    this.from = realOf(resolve(work.input));
    // A descriptor is written to, whatever it is open on.
    this.to = isDescriptor(output) ? output : realOf(output);
    const found = this.#statsOfInput();
    const stats = this.#statsOfOutput();
    this.isFolder = found.isDirectory();
    this.#isIntoOutlet = !this.isFolder && (isDescriptor(this.to) || isOutlet(stats));
    this.inPlace = isSame(found, stats) || this.from === this.to;
    this.#checkKinds(found, stats);
    this.#checkInPlace();
    if (!this.inPlace) this.files().forEach((file) => this.targetOf(file));
  }

  /**
   * All files and links.
   *
   * @throws {@link HeadstartError} when a folder cannot be read.
   */
  files(): string[] {
    this.leftOut.clear();
    return this.isFolder ? this.#filesOf(this.from) : [this.from];
  }

  /** Whether a folder is none of the program's: packages, hidden ones, the output. */
  isLeft(folder: string): boolean {
    const name = basename(folder);
    const isOutput = folder === this.to && !this.inPlace;
    return name === "node_modules" || name.startsWith(".") || isOutput;
  }

  /**
   * Where the result for a file goes.
   *
   * @throws {@link HeadstartError} when that is a file that is read.
   */
  targetOf(file: string): string {
    const target = this.outputOf(file);
    // What stands there is replaced, not what it leads to.
    const real =
      file === this.from ? realOf(target) : join(realOf(dirname(target)), basename(target));
    if (this.inPlace || !this.#isInput(real)) return target;
    throw new HeadstartError(
      `${shown(target)} would be overwritten, which is read, too; name a place outside of ${this.#work.input} with -o`,
    );
  }

  /** The place in the output that belongs to one in the input. */
  outputOf(path: string): string {
    return moved(path, this.from, this.to);
  }

  /** The place in the input that belongs to one in the output. */
  inputOf(path: string): string {
    return moved(path, this.to, this.from);
  }

  /** Whether something is part of the result, if there is anything at a path. */
  isCopied(path: string): boolean {
    return path === this.from || (this.#isInput(path) && !this.#isLeftFolder(path));
  }

  /**
   * Whether what stands at the place of a result is written to, since no file can be what it is.
   *
   * @throws {@link HeadstartError} when it is a socket, which cannot be opened.
   */
  isOutlet(target: string): boolean {
    if (!this.isFolder) return this.#isIntoOutlet;
    const stats = statsAt(target);
    if (stats?.isSocket() === true) throw socketError(shown(target));
    return isOutlet(stats);
  }

  /** Whether a path is that of something that is read, or would be the next time. */
  #isInput(path: string): boolean {
    if (path === this.from) return true;
    if (!isBelow(this.from, path)) return false;
    const parts = relative(this.from, path).split(sep);
    const folders = parts.slice(0, -1).map((_, at) => join(this.from, ...parts.slice(0, at + 1)));
    return !folders.some((folder) => this.isLeft(folder));
  }

  #statsOfInput(): Stats {
    try {
      return statSync(this.from);
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
    const { input: from, output: to, values } = this.#work;
    if (!input.isFile() && !input.isDirectory()) {
      throw new HeadstartError(
        `${from}: is not a regular file; save what it gives in a file and name that`,
      );
    }
    if (input.isFile()) this.#checkLanguage();
    if (output?.isSocket() === true) throw socketError(to);
    if (this.#isIntoOutlet && values["source-map"] === true) {
      throw new HeadstartError(
        `--source-map writes a map beside the result, and ${to} is no regular file; name a file with -o`,
      );
    }
    if (output === undefined || this.isFolder === output.isDirectory()) return;
    throw new HeadstartError(
      output.isDirectory()
        ? `${to} is a folder; name the file, as in "-o ${join(to, basename(from))}"`
        : `${to} is a file, and ${from} is a folder; name a folder with -o`,
    );
  }

  /** Types stay where they are, and would be a syntax error in a file that is JavaScript by its name. */
  #checkLanguage(): void {
    const { input, output } = this.#work;
    const [extension, other] = [extname(this.from), extname(output)];
    if (!TYPED.test(extension) || !UNTYPED.test(other)) return;
    const name = `${output.slice(0, -other.length)}${extension}`;
    throw new HeadstartError(
      `${input} is TypeScript, and stays it; name a file of its language, as in "-o ${name}", ` +
        `and have tsc or a bundler make ${basename(output)} of that`,
    );
  }

  #checkInPlace(): void {
    const { input, output, values } = this.#work;
    const asked = values["in-place"] === true;
    if (this.inPlace && values.watch === true) {
      throw new HeadstartError(
        "optimize --watch would see its own work; name another place with -o",
      );
    }
    if (this.inPlace && !asked) {
      throw new HeadstartError(
        `${output} is ${input} itself; name another place with -o, or overwrite it with --in-place`,
      );
    }
    if (asked && !this.inPlace) {
      throw new HeadstartError(
        `--in-place overwrites ${input}, but -o names ${output}; leave one of them out`,
      );
    }
  }

  #filesOf(folder: string): string[] {
    return entriesOf(folder).flatMap((entry) => {
      const file = join(folder, entry.name);
      if (entry.isDirectory()) return this.isLeft(file) ? [] : this.#filesOf(file);
      if (entry.isSymbolicLink()) return this.#isLeftFolder(file) ? [] : [file];
      if (entry.isFile()) return [file];
      this.leftOut.add(file);
      return [];
    });
  }

  /** Whether a folder, or a link to one, is left out. */
  #isLeftFolder(path: string): boolean {
    return this.isLeft(path) && isFolder(path);
  }
}

/** A path as messages show it. */
export function shown(path: string): string {
  return relative(process.cwd(), path);
}

/** What is said of something that is no file, folder or link. */
export function leftOutText(file: string): string {
  return `${shown(file)} is left out, since it is no regular file`;
}

/** Whether a path leads into a folder, and not to the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

function moved(path: string, from: string, to: string): string {
  const below = relative(from, path);
  return below === "" ? to : join(to, below);
}

function socketError(name: string): HeadstartError {
  return new HeadstartError(
    `${name} is a socket, which cannot be written to by its name; name a file or a pipe with -o`,
  );
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const cause = { cause: error };
    const reason = `${shown(folder)} cannot be read: ${messageOf(error)}; make it readable`;
    throw new HeadstartError(reason, cause);
  }
}

/** Whether a path leads to a folder. A link to nowhere does not, whatever the reason: it leads to itself, its path is too long. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whether two paths lead to one file, by whatever name. */
function isSame(a: Stats, b: Stats | undefined): boolean {
  return b !== undefined && a.ino !== 0 && a.ino === b.ino && a.dev === b.dev;
}
