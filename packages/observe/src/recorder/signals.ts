import { type Apply, intoProxy } from "./wrap.js";

/** Signals that end a process which does not handle them. */
const ENDING = ["SIGHUP", "SIGINT", "SIGTERM"];

/** What is done before one of them ends the process, or it ends by itself; and before that, in the second case only. */
const wishes: (() => void)[] = [];
const exits: (() => void)[] = [];

const events = process as { emit: (event: string, ...values: unknown[]) => boolean };

/** Has something done before the process ends, by itself or by a signal. A program that handles that itself decides what becomes of it. */
export function beforeEnd(wish: () => void): void {
  if (wishes.push(wish) === 1) follow();
}

/** Has something done before all that, where the process ends by itself. */
export function atExit(wish: () => void): void {
  exits.push(wish);
}

/**
 * Looks at what the process is told, and not as one of its listeners: programs count these, and have no more than some.
 */
function follow(): void {
  const emit = intoProxy(events.emit, emitted);
  Object.defineProperty(process, "emit", { value: emit, writable: true, configurable: true });
  // Has Node tell of them.
  for (const signal of ENDING) events.emit("newListener", signal, nobody);
}

const emitted: Apply = (target, self, values: readonly unknown[]) => {
  const [event, , number] = values;
  const go = (): unknown => Reflect.apply(target, self, values);
  if (event === "exit") {
    all(exits);
    // A listener may end the process at once.
    all(wishes);
    const result = go();
    all(wishes);
    return result;
  }
  // Programs hand themselves such events, too, without the number.
  if (!isEnding(event) || typeof number !== "number") return go();
  all(wishes);
  if (process.listenerCount(event) > 0) return go();
  // As it would have been without this.
  events.emit("removeListener", event, nobody);
  return process.kill(process.pid, event);
};

function isEnding(event: unknown): event is NodeJS.Signals {
  return ENDING.some((it) => it === event);
}

function nobody(): void {
  // It is told to nobody.
}

function all(calls: readonly (() => void)[]): void {
  try {
    for (const call of calls) call();
  } catch {
    // The process ends as it would have.
  }
}
