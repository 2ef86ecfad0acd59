import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { codeOf, messageOf, VerifyError } from "./errors.js";
import { makeFolder } from "./folder.js";

/** The name of the journal in the folder of the results. */
export const JOURNAL = "journal.jsonl";

/**
 * What has been measured, a line for each step, written as soon as the step is done. An interrupted
 * verification goes on from it.
 */
export class Journal {
  readonly #folder: string;
  readonly #file: string;
  readonly #isNew: boolean;
  readonly #madeFolder: boolean;
  readonly #steps = new Map<string, unknown>();

  /**
   * Opens the journal in a folder, which is made if it is not there.
   *
   * @param key What the measurements depend on: those of another key are of no use.
   * @throws a {@link VerifyError} where the folder has measurements already and `resume` is not asked
   * for, or has those of something else, or cannot be written.
   */
  constructor(folder: string, key: string, resume: boolean) {
    this.#folder = folder;
    this.#file = join(folder, JOURNAL);
    const isThere = existsSync(this.#file);
    this.#isNew = !isThere;
    this.#madeFolder = !existsSync(folder);
    if (resume && isThere) this.#read(key);
    else if (isThere) {
      throw new VerifyError(
        `${folder} has measurements already: go on with --resume, or choose another folder with --out`,
      );
    } else {
      try {
        makeFolder(folder);
        writeFileSync(this.#file, `${JSON.stringify({ version: 1, key })}\n`);
      } catch (error) {
        throw new VerifyError(
          `no measurements can be kept in ${folder}: ${reasonOf(error)}; choose another folder with --out`,
        );
      }
    }
  }

  /** Steps that were done before. */
  get size(): number {
    return this.#steps.size;
  }

  /** Whether a step was done before. */
  has(step: string): boolean {
    return this.#steps.has(step);
  }

  /** What a step came to, from before if it was done; else it is done now, and kept. */
  async step<T>(step: string, work: () => Promise<T>): Promise<T> {
    // What is read was written by the same version for the same key.
    if (this.#steps.has(step)) return this.#steps.get(step) as T;
    const value = await work();
    this.#write(() => {
      appendFileSync(this.#file, `${JSON.stringify({ step, value })}\n`);
    });
    this.#steps.set(step, value);
    return value;
  }

  /**
   * Removes a journal that holds nothing to go on from, and its folder where that was made for it: it
   * would only stand in the way of the next attempt. One that was there before stays.
   */
  discard(): void {
    if (!this.#isNew) return;
    rmSync(this.#file, { force: true });
    if (this.#madeFolder) removeIfEmpty(this.#folder);
  }

  #read(key: string): void {
    const [head, ...lines] = readFileSync(this.#file, "utf8").split("\n");
    const header = parse(head) as { version?: number; key?: string } | undefined;
    if (header?.version !== 1 || header.key !== key) {
      throw new VerifyError(
        `${this.#file} is of another state of the project, or of other options: ` +
          `start again with another --out`,
      );
    }
    for (const line of lines) {
      const entry = parse(line) as { step: string; value: unknown } | undefined;
      if (entry !== undefined) this.#steps.set(entry.step, entry.value);
    }
    // A line that was cut off would run into the next one.
    this.#write(() => {
      appendFileSync(this.#file, "\n");
    });
  }

  #write(write: () => void): void {
    try {
      write();
    } catch (error) {
      throw new VerifyError(
        `${this.#file} cannot be written: ${reasonOf(error)}; what it holds already is kept, go on with --resume`,
      );
    }
  }
}

/** Removes a folder with nothing in it; any other one, or none, is left alone. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something stands in it, or it was never made.
  }
}

function reasonOf(error: unknown): string {
  return codeOf(error) === "ENOSPC" ? "the disk is full" : messageOf(error);
}

function parse(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? "") as unknown;
  } catch {
    return undefined;
  }
}
