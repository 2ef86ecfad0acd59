import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";

import { HeadstartError, isOfOtherPackage, readWhole } from "headstart";
import type { KnownPlaces, WholeProgram } from "headstart";

/** What modules show of one another, read once in a build, when the first module asks. */
export class Whole {
  readonly #read: typeof readWhole;
  #root: string | null = null;
  /** By the folder that is read: the root, and packages outside of it. */
  readonly #readings = new Map<string, Promise<WholeProgram>>();
  #problem: string | null = null;

  constructor(read = readWhole) {
    this.#read = read;
  }

  /**
   * A build begins, of what stands below a folder; the files may have changed since the one before. Until one
   * begins, nothing is known.
   */
  begin(root: string): void {
    this.#root = root;
    this.#readings.clear();
  }

  /** What the program shows of a module, if its text is the one that was read. */
  async placesIn(path: string, code: string): Promise<KnownPlaces | undefined> {
    if (this.#root === null) return undefined;
    const file = normalize(path);
    if (isOfOtherPackage(file, [])) return undefined;
    const folder = isBelow(this.#root, file) ? this.#root : packageOf(file);
    const reading = this.#readings.get(folder) ?? this.#readNow(folder);
    this.#readings.set(folder, reading);
    const places = (await reading).get(file);
    return places !== undefined && isOnDisk(file, code) ? places : undefined;
  }

  /** Why the program could not be read; it is said once for each build. */
  takeProblem(): string | null {
    const problem = this.#problem;
    this.#problem = null;
    return problem;
  }

  async #readNow(folder: string): Promise<WholeProgram> {
    try {
      return await this.#read(folder);
    } catch (error) {
      if (!(error instanceof HeadstartError)) throw error;
      this.#problem = `calls from file to file stay as they are: ${error.message}`;
      return new Map();
    }
  }
}

function isBelow(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** The folder of the package that a file belongs to, or its own. */
function packageOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) {
    const above = dirname(folder);
    if (above === folder) return dirname(file);
    folder = above;
  }
  return folder;
}

/** Whether nobody has changed the text of a file on the way: places in it are those of its text on disk. */
function isOnDisk(file: string, code: string): boolean {
  try {
    return withoutMark(readFileSync(file, "utf8")) === withoutMark(code);
  } catch {
    // It is gone since it was read.
    return false;
  }
}

const withoutMark = (text: string) => (text.startsWith("\uFEFF") ? text.slice(1) : text);
