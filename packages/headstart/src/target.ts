import { HeadstartError } from "./errors.js";

/** The place `explain` is asked about. */
export interface Target {
  readonly file: string;
  /** Counted from one. */
  readonly line: number;
}

/** The addon counts lines in 32 bits. */
const MAX_LINE = 0xffff_ffff;

/**
 * Reads `FILE:LINE` or `FILE:LINE:COLUMN`.
 *
 * Editors and compilers print the column too, so it is taken and left unused. The numbers
 * are searched from the end, which leaves the colon of `C:\src\a.ts:12` in the file name.
 */
export function parseTarget(text: string): Target {
  const match = /^(?<file>.+?):(?<line>\d+)(?::\d+)?:?$/s.exec(text);
  const file = match?.groups?.["file"];
  const line = Number(match?.groups?.["line"]);
  if (file === undefined || !(line >= 1 && line <= MAX_LINE)) {
    throw new HeadstartError(
      `"${text}" is not FILE:LINE with a line counted from 1, as in "src/app.ts:12"`,
    );
  }
  return { file, line };
}
