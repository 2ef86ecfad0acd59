import type { PortListener } from "./ports.js";

/** A place in the source. */
export interface Place {
  /** Empty if the function has none. */
  readonly name: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Something that is to run later, maybe more than once. */
export interface Registration {
  /** How many its thread has registered before it. */
  readonly ordinal: number;
  /** Empty where that shows only when it runs. */
  readonly type: string;
  readonly microtask: boolean;
  readonly recurring: boolean;
  /** How often it has begun. */
  runs: number;
}

/** Why something runs. */
export interface Cause {
  /** What it is, by what surrounds it. */
  readonly type: string;
  /** Its registration, if that is known. */
  readonly registration?: Registration;
  /** Numbers of what may have sent it, the surest first. */
  readonly keys?: readonly number[];
  /** Whether it is a microtask of which nothing else is known. */
  readonly unclear?: boolean;
  /** Whether it is all microtasks of what ran last. */
  readonly batch?: boolean;
}

/** Is told what a thread does: continuations, and what they register. */
export interface Listener extends PortListener {
  /** What runs registers something; `sample` names the sample that says where, unless `place` does. */
  register(registration: Registration, time: number, sample?: number, place?: Place): void;
  /** It is forgotten: it will not run (again). */
  cancel(registration: Registration): void;
  /** What runs may be the cause of whatever has this key; at this place, if that is known. */
  send(key: number, place?: Place): void;
  /** Something that has this key is sent because of what has that one; nothing runs. */
  pass(key: number, of: number): void;
  /** An answer of this key arrives in that task: all that the task does was caused by it. */
  arrive(key: number, task: number): void;
  /** What runs starts a worker with the script of this address. */
  startWorker(key: number, address: string, time: number): void;
  /** A continuation begins; `place` is where its own code stands. */
  begin(cause: Cause, time: number, place: Place | undefined): void;
  /** The innermost one that runs turns out to have another cause. */
  recall(registration: Registration): void;
  /** The innermost one ends. */
  end(time: number): void;
  /** A microtask checkpoint begins, of what ran last or of nothing. */
  drain(ofLast: boolean): void;
  /** A task begins, and nothing runs. */
  task(): void;
}
