import { createHash } from "node:crypto";

import { boundIn, importsOf } from "./bound.js";
import { type Evidence, type Observation, type Operation, VERSION } from "./evidence.js";
import { summed } from "./servers.js";

/** Where an await is in the function around it, by which it is found again where other code was changed. */
export interface Within {
  /** Of the function, in UTF-16 units, as is all of this. */
  readonly start: number;
  readonly length: number;
  /** Of the await, from there. */
  readonly offset: number;
  /** A sum of the function's text that can be moved along a text (Karp and Rabin), to look for it. */
  readonly sum: number;
  /** A hash of it, and of what it uses of the file's imports, to be sure. */
  readonly hash: string;
}

/** The longest text, in UTF-16 units: what is beyond that is no place in any. */
const LONGEST_TEXT = 2 ** 30;
/** The factor of the sum. */
const FACTOR = 31;

/** Describes the place of an await in a function; `imports` are those of the file. */
export function within(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  at: number,
  imports: ReadonlyMap<string, string>,
): Within {
  const part = text.slice(start, end);
  const hash = hashWith(part, imports);
  return { start, length: part.length, offset: at - start, sum: sumOf(part), hash };
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
  const isOne = (it: unknown): boolean => isObservation(it, (awaits as unknown[]).length);
  if (typeof project !== "string" || !Array.isArray(awaits) || !awaits.every(isOne))
    throw new Error("is no recording of awaits, or was changed by hand");
  return value as Evidence;
}

function isObservation(value: unknown, of: number): value is Observation {
  const { file, calls, ms, within, operations, inner } = (value ?? {}) as Partial<Observation>;
  const { start, length, offset, sum, hash } = within ?? {};
  const counts = [calls, start, length, offset, ms];
  const isOperation = ({ what, times }: Operation): boolean =>
    typeof what === "string" &&
    !/[\p{Cc}\p{Cs}]/u.test(what) &&
    Number.isSafeInteger(times) &&
    times > 0;
  return (
    typeof file === "string" &&
    typeof hash === "string" &&
    Number.isInteger(sum) &&
    counts.every((it) => typeof it === "number" && it >= 0 && it <= Number.MAX_SAFE_INTEGER) &&
    [start, length, offset].every((it) => (it ?? 0) <= LONGEST_TEXT) &&
    counts.slice(0, 4).every((it) => Number.isInteger(it)) &&
    Array.isArray(operations) &&
    operations.every(
      (it) => typeof it === "object" && it !== null && isOperation(it as Operation),
    ) &&
    Array.isArray(inner) &&
    inner.every((it) => Number.isInteger(it) && it >= 0 && it < of)
  );
}

/** An await of a recording, where it stands today. */
export interface LocatedAwait extends Omit<Observation, "inner"> {
  /** The awaits that have begun in its calls, by their places in the list of all; none where one of them is outdated. */
  readonly inner: readonly number[] | null;
}

/** What was seen, at the places where the code stands today. */
export interface Located {
  readonly awaits: readonly LocatedAwait[];
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
  const alike = alikeIn(evidence.awaits);
  const today = evidence.awaits.map((seen) => {
    const places =
      files.get(seen.file) ?? new Places(read(seen.file) ?? "", alike.get(seen.file) ?? new Map());
    files.set(seen.file, places);
    return places.today(seen);
  });
  const kept = [...today.keys()].filter((it) => today[it] !== undefined);
  const moved = new Map(kept.map((it, index) => [it, index]));
  const awaits = evidence.awaits.flatMap((seen, index) => {
    const [at, inner] = [today[index], allOf(seen.inner, moved)];
    return at === undefined ? [] : [{ ...seen, ...at, inner }];
  });
  return { awaits, outdated: evidence.awaits.length - awaits.length };
}

/** Other numbers in the place of numbers, where there is one for each. */
function allOf(numbers: readonly number[], others: ReadonlyMap<number, number>): number[] | null {
  const found = numbers.flatMap((it) => others.get(it) ?? []);
  return found.length === numbers.length ? found : null;
}

/** Puts together what several recordings have of the same awaits. */
export function together<T extends Summable>(recordings: readonly (readonly T[])[]): T[] {
  const all: (T | undefined)[] = [];
  const places = new Map<string, number>();
  for (const recording of recordings) {
    const indices = new Map<number, number>();
    for (const [index, it] of recording.entries()) {
      const key = `${it.line}:${it.column}:${it.file}`;
      const place = places.get(key) ?? all.push(undefined) - 1;
      places.set(key, place);
      indices.set(index, place);
    }
    for (const [index, it] of recording.entries()) {
      const place = indices.get(index) ?? 0;
      const moved = { ...it, inner: it.inner && allOf(it.inner, indices) };
      const known = all[place];
      all[place] = known === undefined ? moved : both(known, moved);
    }
  }
  return all.flatMap((it) => it ?? []);
}

/** What of an await can be summed up. */
type Summable = Pick<
  LocatedAwait,
  "file" | "line" | "column" | "calls" | "ms" | "operations" | "inner"
>;

/** Of what is outdated only the times are of use. */
function both<T extends Summable>(one: T, other: T): T {
  const current = [one, other].filter(({ inner }) => inner !== null);
  const inner = new Set(current.flatMap((it) => it.inner ?? []));
  return {
    ...other,
    calls: one.calls + other.calls,
    ms: Math.min(one.ms + other.ms, Number.MAX_SAFE_INTEGER),
    operations: summed(current.flatMap(({ operations }) => operations)),
    inner: current.length === 0 ? null : [...inner],
  };
}

/** How many functions of each file each hash stands for. */
function alikeIn(awaits: readonly Observation[]): Map<string, Map<string, number>> {
  const files = new Map<string, Map<string, Set<number>>>();
  for (const { file, within } of awaits) {
    const hashes = files.get(file) ?? new Map<string, Set<number>>();
    files.set(file, hashes);
    hashes.set(within.hash, (hashes.get(within.hash) ?? new Set()).add(within.start));
  }
  const counted = [...files].map(
    ([file, hashes]) =>
      [file, new Map([...hashes].map(([hash, starts]) => [hash, starts.size]))] as const,
  );
  return new Map(counted);
}

/** Where stretches of a file's former text are in its text of today. */
class Places {
  /** Where each stretch begins, by its hash and its former begin; nothing where it is not there. */
  private readonly starts = new Map<string, number | undefined>();
  private readonly lines: Lines;
  private readonly imports: ReadonlyMap<string, string>;

  constructor(
    private readonly text: string,
    /** How many functions of the former text each hash stands for. */
    private readonly alike: ReadonlyMap<string, number>,
  ) {
    this.lines = new Lines(text);
    this.imports = importsOf(text);
  }

  /** The line and column of an await today; nothing where its function has changed. */
  today({ within }: Observation): { line: number; column: number } | undefined {
    const key = `${within.start}:${within.hash}`;
    if (!this.starts.has(key)) this.starts.set(key, this.find(within));
    const start = this.starts.get(key);
    return start === undefined ? undefined : this.lines.placeOf(start + within.offset);
  }

  private find({ length, sum, hash }: Within): number | undefined {
    const is = (at: number): boolean =>
      hashWith(this.text.slice(at, at + length), this.imports) === hash;
    const found = positions(this.text, length, sum).filter(is);
    // Of functions that are alike nobody can tell which was which, where anything may have moved.
    return found.length === 1 && this.alike.get(hash) === 1 ? found[0] : undefined;
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

function hashWith(part: string, imports: ReadonlyMap<string, string>): string {
  return hashOf(`${boundIn(part, imports)}\n${part}`);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The lines of a text, by which its places are told; they end as the language has it (ECMA-262, 12.3). */
export class Lines {
  private readonly starts: readonly number[];

  constructor(text: string) {
    const ends = text.matchAll(/\r\n|[\n\r\u2028\u2029]/g);
    const behind = [...ends].map(({ index, 0: end }) => index + end.length);
    this.starts = [text.startsWith("\uFEFF") ? 1 : 0, ...behind];
  }

  /** The line and column of a place, both from one. */
  placeOf(offset: number): { line: number; column: number } {
    let [first, behind] = [0, this.starts.length];
    while (behind - first > 1) {
      const middle = (first + behind) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) first = middle;
      else behind = middle;
    }
    return { line: first + 1, column: offset - (this.starts[first] ?? 0) + 1 };
  }
}
