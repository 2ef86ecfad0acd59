import type { Task } from "./task.js";

/**
 * An atomic block that cannot end: its task waits for tasks that wait for the block. `cycle` holds them in the
 * order in which each waits for the next, and the last for the first.
 */
export class AtomicDeadlockError extends Error {
  override readonly name = "AtomicDeadlockError";
  /** The tasks that wait for one another. */
  readonly cycle: readonly Task[];

  constructor(message: string, cycle: readonly Task[]) {
    const list = cycle.map((task) => `\n  ${task.name}, spawned ${task.place}`).join("");
    super(message + list);
    this.cycle = cycle;
  }
}

/**
 * Work that was started inside an atomic block was still under way when the block ended: it would go on outside.
 * Wait for it inside the block, or give it a task of its own with `spawn`.
 */
export class EscapedWorkError extends Error {
  override readonly name = "EscapedWorkError";
}
