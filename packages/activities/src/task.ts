import { joinable } from "./deadlock.js";
import { cancelTask, type Block } from "./gate.js";
import { stateOf } from "./state.js";

/** How far a task is. `delayed`: it starts when the atomic block ends in which it was spawned. */
export type TaskState = "delayed" | "running" | "done" | "failed" | "cancelled";

/**
 * Something that goes on by itself, with an identity that it keeps over every `await`. What belongs to one task may
 * run inside its atomic blocks; what belongs to another waits.
 */
export class Task<T = unknown> {
  readonly id: number;
  readonly name: string;
  /** Where it was spawned, as a line of a stack trace. */
  readonly place: string;
  /** @internal */ stage: TaskState = "running";
  /** @internal The block that waits for it, and lets it in. */ within: Block | undefined;
  /** @internal Whether it passes every gate. */ free = false;
  /** @internal Why it is to be cancelled, at its next `await`. */ pending:
    { reason: unknown } | undefined;
  /** @internal How many calls of it wait at the gate. */ waiting = 0;
  /** @internal Why it was cancelled. */ reason: unknown;
  /** @internal How many joins wait for it. */ joined = 0;
  /** @internal The tasks that it waits for, and how to tell it that they never come. */
  readonly joins = new Set<{ task: Task; reject: (error: unknown) => void }>();
  /** @internal */ readonly result: Promise<T>;
  /** @internal A method to the compiler, so that a task of texts is a task of anything. */
  declare resolve: { of(value: T | PromiseLike<T>): void }["of"];
  /** @internal */ reject!: (error: unknown) => void;

  /** @internal */
  constructor(id: number, name: string | undefined, place: string) {
    this.id = id;
    this.name = name ?? `task ${String(id)}`;
    this.place = place;
    this.result = new Promise<T>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Whoever wants to know asks with `join`.
    this.result.catch(() => undefined);
  }

  /** How far it is. */
  get state(): TaskState {
    return this.stage;
  }

  /**
   * Waits for its end, and gives what its body gave, or throws what that threw.
   * @throws AtomicDeadlockError at once where it cannot end before the atomic block of the task that asks does.
   */
  join(): Promise<T> {
    return joinable(this);
  }

  /**
   * Ends it with `reason`: where it waits at the gate or has not started, at once; else its next `await` throws the
   * reason when it resumes. Inside an atomic block `catch` and `finally` still run inside the block. Does nothing
   * once it has ended.
   */
  cancel(reason: unknown = new DOMException("The task was cancelled", "AbortError")): void {
    cancelTask(this, reason);
  }
}

/** @internal */
export const state = stateOf(() => new Task(0, "root", "by nobody"));

/** The task that runs now; the root task where the code belongs to none. */
export function current(): Task {
  return state.c;
}
