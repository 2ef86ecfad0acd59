import { HeadstartError } from "./errors.js";

/** The place `explain` is asked about. */
export interface Target {
  readonly file: string;
  /** Counted from one. */
  readonly line: number;
}

/** What `effects` is asked about: a file, or a place in it. */
export interface FileTarget {
  readonly file: string;
  /** Counted from one; without it, the whole file is meant. */
  readonly line?: number;
}

/** The addon counts lines in 32 bits. */
const MAX_LINE = 0xffff_ffff;

/**
 * Reads `FILE:LINE` or `FILE:LINE:COLUMN`.
 *
 * Editors and compilers print the column too, so it is taken and left unused.
 */
export function parseTarget(text: string): Target {
  const place = placeIn(text);
  if (place !== undefined) return place;
  throw new HeadstartError(
    `"${text}" is not FILE:LINE with a line counted from 1, as in "src/app.ts:12"`,
  );
}

/** Reads `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`. */
export function parseFileTarget(text: string): FileTarget {
  const place = placeIn(text);
  if (place !== undefined) return place;
  // A colon at the end, or one with a number after it, was to be a line.
  if (text === "" || /:[-+.\d]*$/.test(text)) {
    throw new HeadstartError(
      `"${text}" is not FILE or FILE:LINE with a line counted from 1, as in "src/app.ts:12"`,
    );
  }
  return { file: text };
}

/**
 * The numbers are searched from the end, which leaves the colon of `C:\src\a.ts:12` in the
 * file name.
 */
function placeIn(text: string): Target | undefined {
  const match = /^(?<file>.+?):(?<line>\d+)(?::\d+)?:?$/s.exec(text);
  const file = match?.groups?.["file"];
  const line = Number(match?.groups?.["line"]);
  return file !== undefined && line >= 1 && line <= MAX_LINE ? { file, line } : undefined;
}
