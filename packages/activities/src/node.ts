/**
 * For Node: identity by `AsyncLocalStorage`, which reaches code that is not compiled (from Node 24 on that costs
 * nothing; before, some hundred nanoseconds for each promise), and the report of deadlocks when nothing else can happen.
 */
import { AsyncLocalStorage } from "node:async_hooks";

import { abandon, stuck, waiting } from "./gate.js";
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

/** A process that is about to end while tasks wait at the gate: what the open blocks wait for never comes. */
function giveUp(): void {
  if (waiting().length === 0) return;
  const message =
    "Deadlock: nothing else can happen in the process, and an atomic block has not ended; it may wait for one of those that it keeps out:";
  const errors = [...state.blocks]
    .reverse()
    .map((block) => ({ block, error: stuck(block, message) }));
  for (const { block, error } of errors) abandon(block, error);
}

process.on("beforeExit", giveUp);
