import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";

import { codeOf, messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import { removeLeftovers } from "./leftovers.js";
import { mistakesIn, optimizeAsync } from "./optimize.js";
import { isBelow, leftOutText, Places, shown } from "./optimize-places.js";
import type { OptimizedFunction } from "./optimize-types.js";
import { optionsFor } from "./optimize-values.js";
import { copyFile, copyLink, replace, statsAt, writeLike, writeTo } from "./optimize-write.js";
import { isProgram } from "./program-files.js";
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
  /** What else is to be said: that it is left out, or a mistake of headstart. */
  readonly warning: string | null;
  /** Whether it is no file, and nothing was written. */
  readonly isLeftOut: boolean;
}

const COPIED: Copied = { name: "", functions: [], error: null, warning: null, isLeftOut: false };

/** A file, and where its result goes. */
interface Way {
  readonly source: string;
  readonly target: string;
  /** Whether the result is written to what stands there, and takes no place. */
  readonly isOutlet: boolean;
}

/** A file or folder, optimised into another, file by file. */
export class OptimizedCopy {
  readonly places: Places;
  readonly #work: OptimizeInvocation;
  /** What was written for each file. */
  readonly #written = new Map<string, readonly string[]>();
  /** The folders that something has been written into. */
  readonly #entered = new Set<string>();

  /** @throws as {@link Places}. */
  constructor(work: OptimizeInvocation) {
    this.#work = work;
    this.places = new Places(work);
  }

  /**
   * Writes what a file is to become.
   *
   * @throws {@link HeadstartError} when its place would be one that is read, or cannot be written.
   */
  async update(source: string, outside: Outside): Promise<Copied> {
    const target = this.places.targetOf(source);
    try {
      return await this.#update(source, target, outside);
    } catch (error) {
      throw this.#explained(error, source, target);
    }
  }

  /** Takes away what was written for a file that is gone; what others wrote stays. */
  remove(source: string): void {
    const folders = (this.#written.get(source) ?? []).map((file) => dirname(file));
    this.#keep(source, []);
    this.#written.delete(source);
    for (const folder of folders) this.#removeEmpty(folder);
  }

  /** Takes away all that was written. */
  removeAll(): void {
    for (const source of [...this.#written.keys()]) this.remove(source);
  }

  async #update(source: string, target: string, outside: Outside): Promise<Copied> {
    const { isFolder } = this.places;
    const stats = lstatSync(source);
    const isLink = isFolder && stats.isSymbolicLink();
    if (isFolder && !isLink && !stats.isFile()) return this.#leaveOut(source);
    this.#makeWay(target);
    this.#enter(dirname(target));
    if (isLink) return this.#copyLink(source, target);
    const way = { source, target, isOutlet: this.places.isOutlet(target) };
    if (!isProgram(source)) return this.#copy(way);
    try {
      return await this.#optimize(way, outside);
    } catch (error) {
      if (!(error instanceof HeadstartError)) throw error;
      const message = `${error.message.replace(/\.$/, "")}; it was copied as it is`;
      return { ...(await this.#copy(way)), error: new HeadstartError(message) };
    }
  }

  /** Something else than a file may have come in the place of one. */
  #leaveOut(source: string): Copied {
    this.remove(source);
    return { ...COPIED, warning: leftOutText(source), isLeftOut: true };
  }

  /** What the file system has to say against a place, with the place and what to do about it. */
  #explained(error: unknown, source: string, target: string): unknown {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
    const cause = { cause: error };
    const { inPlace } = this.places;
    if ("path" in error && error.path === source && !inPlace) {
      const reason = `${shown(source)} cannot be read: ${messageOf(error)}; make it readable`;
      return new HeadstartError(reason, cause);
    }
    const name = shown(target);
    if (codeOf(error) === "EISDIR") {
      const reason = `${name} cannot be written: it is a folder; remove it, or name another place with -o`;
      return new HeadstartError(reason, cause);
    }
    const remedy = inPlace
      ? "make its folder writable, or name another place with -o"
      : "name a place that can be written with -o";
    return new HeadstartError(`${name} cannot be written: ${messageOf(error)}; ${remedy}`, cause);
  }

  /** Makes a folder, and clears it of what a killed run has left there. */
  #enter(folder: string): void {
    mkdirSync(folder, { recursive: true });
    if (this.#entered.has(folder)) return;
    removeLeftovers(folder);
    this.#entered.add(folder);
  }

  /**
   * Takes away what stands in the way of a result since its source was of another kind: a file where a folder has to
   * be, or the other way round. That the source is gone may be heard only later.
   */
  #makeWay(target: string): void {
    const { to } = this.places;
    for (let folder = dirname(target); isBelow(to, folder); folder = dirname(folder)) {
      if (statsAt(folder)?.isDirectory() === false) this.#removeGone(this.places.inputOf(folder));
    }
    if (statsAt(target)?.isDirectory() !== true) return;
    for (const [source, written] of [...this.#written]) {
      if (written.some((file) => isBelow(target, file))) this.#removeGone(source);
    }
  }

  #removeGone(source: string): void {
    const isThere = statsAt(source)?.isDirectory() === false;
    if (!isThere) this.remove(source);
  }

  /** Removes folders of the output that have become empty: there are none in it. */
  #removeEmpty(folder: string): void {
    for (let at = folder; isBelow(this.places.to, at); at = dirname(at)) {
      try {
        rmdirSync(at);
      } catch {
        // There is something else in it, or it is gone.
        return;
      }
    }
  }

  async #optimize(way: Way, { known, only }: Outside): Promise<Copied> {
    const { source, target } = way;
    const name = shown(source);
    const options = { ...optionsFor(this.#work.values, source), file: name, only };
    // Not on this thread, which signals come to.
    const text = readFileSync(source, "utf8");
    const { code, map, functions } = await optimizeAsync(text, options, known);
    if (map === null) {
      await this.#write(way, code);
    } else {
      const mapFile = `${target}.map`;
      const all = mapInFolder(map, { text, file: source, folder: dirname(target) });
      replace(mapFile, JSON.stringify({ ...all, file: basename(target) }));
      await this.#write(way, `${code}\n//# sourceMappingURL=${basename(mapFile)}\n`, [mapFile]);
    }
    return { ...COPIED, name, functions, warning: mistakesIn(name, functions) };
  }

  /** Writes a result; `others` were written for the same file. */
  async #write({ source, target, isOutlet }: Way, text: string, others: string[] = []) {
    if (isOutlet) await writeTo(target, text);
    else writeLike(source, target, text);
    this.#keep(source, isOutlet ? others : [target, ...others]);
  }

  async #copy({ source, target, isOutlet }: Way): Promise<Copied> {
    if (isOutlet) await writeTo(target, readFileSync(source));
    else if (source !== target) copyFile(source, target);
    this.#keep(source, isOutlet ? [] : [target]);
    return COPIED;
  }

  /** Copies a link: it leads to what becomes of a file of the folder, or to where it led. */
  #copyLink(source: string, target: string): Copied {
    const { places } = this;
    try {
      if (source !== target) {
        copyLink(source, target, {
          isCopied: (path) => places.isCopied(path),
          outputOf: (path) => places.outputOf(path),
        });
      }
    } catch (error) {
      const reason = `${shown(source)}: a link that could not be copied: ${messageOf(error)}`;
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
}
