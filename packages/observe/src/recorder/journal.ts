import type { Frame } from "./frames.js";
import { beforeEnd } from "./signals.js";
import { safely } from "./wrap.js";

/** The most different operations that are kept of one await. */
export const MOST_OPERATIONS = 100;
/** Stands for those beyond that. */
export const MORE = "more";
/** Stands for what was started when the wait was over. */
const LATER = "later";
/** Stands for what was done when nobody looked any more. */
export const CUT_OFF = "cut off";
/** The most different awaits that are kept of those in the calls of one. */
export const MOST_INNER = 1000;
/** The most awaits, one around the other, that an operation is noted at. */
const MOST_OUTER = 1000;
/** Milliseconds after which what is there is written, and, while no await is under way, between two times that it is. */
const [INTERVAL, PAUSE] = [100, 5];

/** What is known of an await since it was handed on last. */
export interface Entry {
  calls: number;
  ms: number;
  longest: number;
  /** How often each operation was started, by its description. */
  readonly operations: Map<string, number>;
  /** The awaits that have begun in its calls. */
  readonly inner: Set<number>;
}

/** Is told that something was started in the call of an await, and when, where that is not now. */
export type Touched = (frame: Frame, operation: string, since?: number) => void;

/** What awaits have done since the last time, by their numbers. */
export type Entries = ReadonlyMap<number, Readonly<Entry>>;

/** What a process writes of an await. */
export interface Line extends Omit<Entry, "operations" | "inner"> {
  readonly id: number;
  readonly operations: Readonly<Record<string, number>>;
  readonly inner: readonly number[];
}

/** Texts as JSON has them, whatever the program puts in the place of this. */
const { stringify } = JSON;

/**
 * Entries as lines of JSON, each a {@link Line}. Nothing is used for it that a program may have put something else in the place of: methods
 * of arrays, `toJSON` of what it calls an object.
 */
export function linesOf(entries: Entries): string {
  let text = "";
  entries.forEach(({ calls, ms, longest, operations, inner }, id) => {
    let [done, begun] = ["", ""];
    operations.forEach((times, what) => {
      done += `${done === "" ? "" : ","}${stringify(what)}:${times}`;
    });
    inner.forEach((it) => {
      begun += `${begun === "" ? "" : ","}${it}`;
    });
    const counts = `"id":${id},"calls":${calls},"ms":${ms},"longest":${longest}`;
    text += `{${counts},"operations":{${done}},"inner":[${begun}]}\n`;
  });
  return text;
}

/**
 * Collects what awaits do, and hands it on from time to time: at once where nothing is awaited any more, since runners
 * of tests kill their processes when these have said that they are done.
 */
export class Journal {
  private entries = new Map<number, Entry>();
  /** Awaits that are under way. */
  private readonly active = new Set<Frame>();
  private written = 0;

  constructor(private readonly write: (entries: Entries) => void) {
    setInterval(this.flush, INTERVAL).unref();
    beforeEnd(this.flush);
  }

  /** A call that is awaited has begun. */
  begun(frame: Frame): void {
    this.active.add(frame);
    this.entryOf(frame.id);
    for (let at = frame.outer; at !== undefined; at = at.outer) {
      if (at.end !== undefined) continue;
      at.inner ??= new Set();
      // Those around it have it, too, or are full.
      if (at.isFull === true || at.inner.has(frame.id)) return;
      at.isFull = at.inner.size >= MOST_INNER;
      if (at.isFull) this.note(at.id, MORE);
      else this.noteInner(at.id, at.inner, frame.id);
    }
  }

  /** Whether any await is under way. */
  get isActive(): boolean {
    return this.active.size > 0;
  }

  /** It has ended. */
  ended(frame: Frame, now: number): void {
    frame.end = now;
    if (!this.active.delete(frame)) return;
    const entry = this.entryOf(frame.id);
    const ms = now - frame.start;
    entry.calls++;
    entry.ms += ms;
    entry.longest = Math.max(entry.longest, ms);
    if (this.active.size > 0 || now - this.written < PAUSE) return;
    this.written = now;
    this.flush();
  }

  /** What is still under way is followed no longer: nobody sees all that it does. */
  cutOff(): void {
    for (const frame of this.active) this.note(frame.id, CUT_OFF);
    this.active.clear();
  }

  /** Something was started in the call of an await that was over by then. */
  late(frame: Frame): void {
    if (frame.isLate !== true) this.note(frame.id, LATER);
    frame.isLate = true;
  }

  /** Something was started in the call of an await, and so in the calls that it is a part of. */
  touched(frame: Frame, operation: string, since: number): void {
    const seen = new Set<number>();
    for (
      let at: Frame | undefined = frame;
      at !== undefined && seen.size < MOST_OUTER;
      at = at.outer
    ) {
      if (seen.has(at.id)) continue;
      seen.add(at.id);
      // What a server does that was started in a call is no part of the wait for its start.
      if (at.end !== undefined && at.end < since) this.late(at);
      else this.note(at.id, operation);
    }
  }

  private noteInner(id: number, ofCall: Set<number>, begun: number): void {
    ofCall.add(begun);
    const { inner } = this.entryOf(id);
    if (inner.size < MOST_INNER) inner.add(begun);
    else if (!inner.has(begun)) this.note(id, MORE);
  }

  private note(id: number, operation: string): void {
    const { operations } = this.entryOf(id);
    const isKept = operations.has(operation) || operations.size < MOST_OPERATIONS;
    const kept = isKept ? operation : MORE;
    operations.set(kept, (operations.get(kept) ?? 0) + 1);
  }

  private entryOf(id: number): Entry {
    let entry = this.entries.get(id);
    if (entry === undefined) {
      entry = { calls: 0, ms: 0, longest: 0, operations: new Map(), inner: new Set() };
      this.entries.set(id, entry);
    }
    return entry;
  }

  private readonly flush = (): void => {
    const { entries } = this;
    if (entries.size === 0) return;
    this.entries = new Map();
    safely(() => {
      this.write(entries);
    });
  };
}
