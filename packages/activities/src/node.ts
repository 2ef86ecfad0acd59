/**
 * For Node: identity by `AsyncLocalStorage`, which reaches code that is not compiled (from Node 24 on that costs
 * nothing; before, some hundred nanoseconds for each promise), and the report of deadlocks when nothing else can happen.
 */
import { AsyncLocalStorage } from "node:async_hooks";

import { abandon, stuck } from "./gate.js";
import { state, type Task } from "./task.js";

export * from "./index.js";

/** Has Node carry the identity of tasks into all that they start: timers, streams, emitters, code of packages. */
export function useAsyncLocalStorage(): void {
  const storage = new AsyncLocalStorage<Task>();
  storage.enterWith(state.c);
  Object.defineProperty(state, "c", {
    configurable: true,
    get: () => storage.getStore() ?? state.r,
    set: (task: Task) => {
      if (storage.getStore() !== task) storage.enterWith(task);
    },
  });
}

/** A process that is about to end while blocks are open: what the innermost waits for never comes. */
function giveUp(): void {
  const block = state.blocks.at(-1);
  if (block === undefined) return;
  const message =
    "Deadlock: nothing else can happen in the process, and an atomic block has not ended; it may wait for one of those that it keeps out:";
  abandon(block, stuck(block, message));
  // Who goes on then may be stuck again, and Node asks again only where it had something to do.
  setImmediate(() => undefined);
}

process.on("beforeExit", giveUp);
