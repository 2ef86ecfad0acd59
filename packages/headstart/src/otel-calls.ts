import { AsyncLocalStorage } from "node:async_hooks";

import { type Frame, programFrames } from "./otel-frames.js";

/** A function by what holds it, such as `[pg.Pool.prototype, "query"]`. */
export type HeldFunction = readonly [object: object, name: string];

/** One call of a function that starts its work only later. */
interface Call {
  /** Who has made it; empty where that is not known. */
  readonly frames: readonly Frame[];
  /** How many calls had been made of functions that may hand over their work to one another; 0 for one of another sort. */
  readonly number: number;
  /** Whether an operation that it has started is over. */
  isOver: boolean;
}

/**
 * The functions of pools by which they wait for a connection. What they are given is run when another's connection is released:
 * in the context of that other one, if nothing is done about it.
 */
const WAITING = ["connect", "getConnection", "acquire"];

type AnyFunction = (...values: unknown[]) => unknown;

/** Remembers who has called functions that start their work only later. */
export class LateCalls {
  /** The call that has led to what runs: by what has waited for what. */
  readonly #calls = new AsyncLocalStorage<Call | undefined>();
  /** The calls whose operations spans are. */
  readonly #ofSpans = new WeakMap<object, Call>();
  /** The call that runs: by what has called what. */
  #running: Call | undefined;
  #count = 0;

  constructor(private readonly isSampled: () => boolean) {}

  /** Follows the calls of a function that does the work of each by itself. Nothing is done where it is not there. */
  followAlone(object: object, name: string): void {
    const held = heldFunction(object, name);
    if (held !== undefined) replace(object, name, held, (call) => this.#inCall(false, call));
  }

  /**
   * Follows the calls of functions that may have to wait for one another, such as those of a pool.
   *
   * @throws {TypeError} where there is no such function, or none that can be replaced
   */
  follow(object: object, name: string): void {
    const held = heldFunction(object, name);
    if (held === undefined) throw new TypeError(`calls: ${name} is no function there`);
    const isDone = this.#wrap(object, name, held, (call) => this.#inCall(true, call));
    if (!isDone) throw new TypeError(`calls: ${name} cannot be replaced there`);
    for (const waiting of WAITING) {
      const other = waiting === name ? undefined : heldFunction(object, waiting);
      if (other !== undefined) this.#wrap(object, waiting, other, (call) => call());
    }
  }

  /**
   * Who has made the call that has led to a span which is started now: empty where that is not sure, nothing where none of
   * the functions has been called.
   */
  callerOf(span: object): readonly Frame[] | undefined {
    const call = this.#running ?? this.#calls.getStore();
    if (call === undefined) return undefined;
    if (call !== this.#running && !this.#isSure(call)) return [];
    this.#ofSpans.set(span, call);
    return call.frames;
  }

  /** To be called when a span ends. */
  ended(span: object): void {
    const call = this.#ofSpans.get(span);
    if (call !== undefined) call.isOver = true;
  }

  /**
   * Whether what has waited for something in a call is of that call. Where its operation is over, it may be the work of another
   * one that has got its turn; so it may where another call has been made since then, unless who waits for it shows.
   */
  #isSure({ number, isOver, frames: [caller] }: Call): boolean {
    if (number > 0 && isOver) return false;
    const now = programFrames();
    if (now.some((it) => caller !== undefined && isSameFunction(it, caller))) return true;
    // The program has been called back, or lets another one have its turn.
    if (now.length > 0) return false;
    return number === 0 || number === this.#count;
  }

  /** Has a function's callbacks run in the call in which they were handed over. */
  #wrap(
    object: object,
    name: string,
    held: AnyFunction,
    around: (call: () => unknown) => unknown,
  ): boolean {
    return replace(object, name, held, (call, values) => {
      const bound = values.map((it) => (isFunction(it) ? this.#bind(it) : it));
      return around(() => call(bound));
    });
  }

  /** A function that is called back as what hands it over now, whoever calls it. */
  #bind(callback: AnyFunction): unknown {
    const [running, call] = [this.#running, this.#calls.getStore()];
    return new Proxy(callback, {
      apply: (target, self, values) =>
        this.#run(running, call, (): unknown => Reflect.apply(target, self, values)),
    });
  }

  /** Runs what is a call of the program. */
  #inCall(isOfMany: boolean, work: () => unknown): unknown {
    const running = this.#running;
    const isSampled = running === undefined ? this.isSampled() : running.frames.length > 0;
    const frames = isSampled ? programFrames() : [];
    const [own] = frames;
    // A function may call another of them, for the same.
    const isInner =
      running === undefined
        ? isSampled && own === undefined && this.#calls.getStore() !== undefined
        : own?.text === running.frames[0]?.text;
    if (isInner) return work();
    const number = isOfMany ? ++this.#count : 0;
    const call = { frames, number, isOver: false };
    return this.#run(call, call, work);
  }

  #run(running: Call | undefined, call: Call | undefined, work: () => unknown): unknown {
    const before = this.#running;
    this.#running = running;
    try {
      return this.#calls.run(call, work);
    } finally {
      this.#running = before;
    }
  }
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}

function heldFunction(object: object, name: string): AnyFunction | undefined {
  try {
    const held: unknown = Reflect.get(object, name);
    return isFunction(held) ? held : undefined;
  } catch {
    // What is had only of an instance is no function here.
    return undefined;
  }
}

/** Puts `around` in front of a function; returns whether that can be done. */
function replace(
  object: object,
  name: string,
  held: AnyFunction,
  around: (call: (values?: unknown[]) => unknown, values: unknown[]) => unknown,
): boolean {
  const own = Reflect.getOwnPropertyDescriptor(object, name);
  const value = new Proxy(held, {
    apply(target, self, values: unknown[]) {
      // What is inherited may be replaced after this, too: by an instrumentation.
      const above = own === undefined ? Reflect.getPrototypeOf(object) : null;
      const now = (above === null ? undefined : heldFunction(above, name)) ?? target;
      return around((others): unknown => Reflect.apply(now, self, others ?? values), values);
    },
  });
  const { enumerable = false, writable = true, configurable = true } = own ?? {};
  return Reflect.defineProperty(object, name, { value, enumerable, writable, configurable });
}

/** By the files and the names of two functions; where they have none, by their lines. */
function isSameFunction(one: Frame, other: Frame): boolean {
  const name = nameOf(one);
  if (one.file !== other.file || name !== nameOf(other)) return false;
  return name !== "" || one.line === other.line;
}

function nameOf({ text }: Frame): string {
  const end = text.lastIndexOf(" (");
  return end < 0 ? "" : text.slice(0, end).replace(/^async /, "");
}
