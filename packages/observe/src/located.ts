import { createHash } from "node:crypto";

import { lineAt } from "@headstart/verify/edits";

import { type Evidence, type Observation, type Operation, VERSION } from "./evidence.js";

/** Where an await is in the function around it, by which it is found again where other code was changed. */
export interface Within {
  /** Of the function, in UTF-16 units, as is all of this. */
  readonly start: number;
  readonly length: number;
  /** Of the await, from there. */
  readonly offset: number;
  /** A sum of the function's text that can be moved along a text (Karp and Rabin), to look for it. */
  readonly sum: number;
  /** A hash of it, to be sure. */
  readonly hash: string;
}

/** The factor of the sum. */
const FACTOR = 31;

/** Describes the place of an await in a function. */
export function within(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  at: number,
): Within {
  const part = text.slice(start, end);
  return { start, length: part.length, offset: at - start, sum: sumOf(part), hash: hashOf(part) };
}

/**
 * Reads what {@link Evidence} is written as.
 *
 * @throws where it is cut off, or something else.
 */
export function parseEvidence(text: string): Evidence {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error("is no JSON, or cut off", { cause: error });
  }
  const { version, project, awaits } = (value ?? {}) as Partial<Record<keyof Evidence, unknown>>;
  if (version !== VERSION) throw new Error(`is no recording of this version (${VERSION})`);
  if (typeof project !== "string" || !Array.isArray(awaits) || !awaits.every(isObservation))
    throw new Error("is no recording of awaits, or was changed by hand");
  return value as Evidence;
}

function isObservation(value: unknown): value is Observation {
  const { file, calls, ms, within, operations } = (value ?? {}) as Partial<Observation>;
  const { start, length, offset, sum, hash } = within ?? {};
  const counts = [calls, start, length, offset];
  const isOperation = ({ what, times }: Operation): boolean =>
    typeof what === "string" && Number.isSafeInteger(times) && times >= 0;
  return (
    typeof file === "string" &&
    typeof hash === "string" &&
    Number.isInteger(sum) &&
    Number.isFinite(ms) &&
    counts.every((it) => Number.isSafeInteger(it) && Number(it) >= 0) &&
    Array.isArray(operations) &&
    operations.every((it) => typeof it === "object" && isOperation(it as Operation))
  );
}

/** What was seen, at the places where the code stands today. */
export interface Located {
  readonly awaits: readonly Observation[];
  /** How many awaits stand in functions that are no longer what they were. */
  readonly outdated: number;
}

/**
 * Finds the awaits of a recording in the files as they are now. What stands in a function whose text has changed is left out.
 *
 * @param read gives the text of a file of the project; nothing where it cannot be read.
 */
export function located(evidence: Evidence, read: (file: string) => string | undefined): Located {
  const files = new Map<string, Places>();
  const awaits: Observation[] = [];
  for (const seen of evidence.awaits) {
    const places = files.get(seen.file) ?? new Places(read(seen.file) ?? "");
    files.set(seen.file, places);
    const at = places.today(seen);
    if (at !== undefined) awaits.push({ ...seen, ...at });
  }
  return { awaits, outdated: evidence.awaits.length - awaits.length };
}

/** Where stretches of a file's former text are in its text of today. */
class Places {
  /** Where each stretch begins, by its hash and its former begin; nothing where it is not there. */
  private readonly starts = new Map<string, number | undefined>();
  /** Begins of the former text that are taken: of two functions alike each is one of its own. */
  private readonly taken = new Set<number>();

  constructor(private readonly text: string) {}

  /** The line and column of an await today; nothing where its function has changed. */
  today({ within }: Observation): { line: number; column: number } | undefined {
    const key = `${within.start}:${within.hash}`;
    if (!this.starts.has(key)) this.starts.set(key, this.find(within));
    const start = this.starts.get(key);
    return start === undefined ? undefined : placeOf(this.text, start + within.offset);
  }

  private find({ start, length, sum, hash }: Within): number | undefined {
    const is = (at: number): boolean =>
      !this.taken.has(at) && hashOf(this.text.slice(at, at + length)) === hash;
    const found = is(start) ? start : positions(this.text, length, sum).find(is);
    if (found !== undefined) this.taken.add(found);
    return found;
  }
}

/** Where stretches of a length and a sum begin in a text. */
function positions(text: string, length: number, sum: number): number[] {
  const found: number[] = [];
  if (length === 0 || length > text.length) return found;
  let power = 1;
  for (let step = 1; step < length; step++) power = Math.imul(power, FACTOR);
  let rolling = sumOf(text.slice(0, length));
  for (let at = 0; ; at++) {
    if (rolling === sum) found.push(at);
    if (at + length >= text.length) return found;
    const without = rolling - Math.imul(text.charCodeAt(at), power);
    rolling = (Math.imul(without, FACTOR) + text.charCodeAt(at + length)) | 0;
  }
}

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, FACTOR) + text.charCodeAt(at)) | 0;
  return sum;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The line and column of a place in a text, both from one. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  return { line: lineAt(text, offset), column: offset - text.lastIndexOf("\n", offset - 1) };
}
