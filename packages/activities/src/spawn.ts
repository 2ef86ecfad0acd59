"ungated";

import { arrive, blockOf, mustWait, wait } from "./gate.js";
import { begin, type Body } from "./run.js";
import { state, Task } from "./task.js";

export interface SpawnOptions {
  /** What it is called in reports. */
  name?: string;
  /**
   * What becomes of it inside an atomic block. `delay`: it starts when the outermost block has ended. `contained`: it
   * runs inside, and the block waits for its end. `free`: it runs, and passes every gate from then on. `error`: `spawn` throws.
   */
  inAtomic?: "delay" | "contained" | "free" | "error";
  /** Cancels it, with its reason. */
  signal?: AbortSignal;
}

/**
 * Starts a task of its own, behind what runs now. Its errors go to whoever joins it.
 * @throws Error inside an atomic block, where `inAtomic` is `error`
 */
export function spawn<T>(body: Body<T>, options: SpawnOptions = {}): Task<T> {
  const { name, inAtomic = "delay", signal } = options;
  const block = blockOf(state.c);
  if (block !== undefined && inAtomic === "error") {
    throw new Error(
      `${name ?? "A task"} with inAtomic: "error" is spawned inside an atomic block; spawn it outside`,
    );
  }
  const task = newTask<T>(name, spawn);
  onAbort(signal, task.result, (reason) => {
    task.cancel(reason);
  });
  const start = () => {
    task.stage = "running";
    void settled(task, run(task, body));
  };
  if (block === undefined || inAtomic === "free") {
    task.free = inAtomic === "free" && block !== undefined;
    start();
  } else if (inAtomic === "contained") {
    task.within = block;
    block.contained.add(task);
    start();
  } else {
    task.stage = "delayed";
    (state.blocks[0] ?? block).delayed.push({ task, start });
  }
  return task;
}

/** Does something where a signal aborts, also where it has already, as long as something is not over. */
export function onAbort(
  signal: AbortSignal | undefined,
  until: Promise<unknown>,
  then: (reason: unknown) => void,
): void {
  if (signal === undefined) return;
  const abort = () => {
    then(signal.reason);
  };
  if (signal.aborted) queueMicrotask(abort);
  let all = aborting.get(signal);
  if (all === undefined) {
    const told = (all = new Set<() => void>());
    aborting.set(signal, told);
    signal.addEventListener("abort", () => {
      for (const it of told) it();
    });
  }
  all.add(abort);
  const end = all.delete.bind(all, abort);
  until.then(end, end);
}

/** What is done where a signal aborts: one listener for all, of whom there may be many. */
const aborting = new WeakMap<AbortSignal, Set<() => void>>();

/** A new task, spawned where `by` was called. */
export function newTask<T>(name: string | undefined, by: (...args: never[]) => unknown): Task<T> {
  state.tasks += 1;
  return new Task<T>(state.tasks, name, placeOfCall(by));
}

/** What calls a function: the line of the stack below it, as far as the engine tells. */
function placeOfCall(of: (...args: never[]) => unknown): string {
  const at: { stack?: string } = {};
  const { captureStackTrace } = Error as { captureStackTrace?: (at: object, of: unknown) => void };
  captureStackTrace?.(at, of);
  return at.stack?.split("\n")[1]?.trim() ?? "somewhere";
}

async function run<T>(task: Task<T>, body: Body<T>): Promise<T> {
  await Promise.resolve();
  if (state.f > 0 && mustWait(task)) {
    await wait(task);
    arrive();
  }
  return begin(task, body);
}

/** Ends a task with what a promise gives, which it gives back. */
export function settled<T>(task: Task<T>, result: Promise<T>): Promise<T> {
  const end = (stage: Task["state"]) => {
    task.stage = stage;
    if (task.pending !== undefined) {
      task.pending = undefined;
      state.f -= 1;
    }
    task.within?.contained.delete(task);
    task.within = undefined;
  };
  result.then(
    (value) => {
      task.resolve(value);
      end("done");
    },
    (error: unknown) => {
      task.reject(error);
      end(error !== undefined && error === task.reason ? "cancelled" : "failed");
    },
  );
  return result;
}
