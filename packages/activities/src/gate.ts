import { closes } from "./deadlock.js";
import { state, type Task } from "./task.js";

/** An atomic block that is open. */
export interface Block {
  readonly holder: Task;
  /** How many blocks of the holder are open in one another. */
  depth: number;
  /** The tasks spawned as `contained` that have not ended. */
  readonly contained: Set<Task>;
  /** What starts when the outermost block has ended. */
  readonly delayed: { readonly task: Task; readonly start: () => void }[];
  /** How many calls of functions that resume are under way in it. */
  frames: number;
  /** Ends the block from outside: the outermost `atomic` of its task throws the error. */
  fail: (error: Error) => void;
}

/** Somebody who waits at the gate. */
export interface Waiter {
  readonly task: Task;
  /** Whether it opens a block when it is let in. */
  readonly opens: boolean;
  /** Whether it waits even where it is cancelled: what cleans up behind a failure has to run, and not inside a block of others. */
  readonly stays: boolean;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Whether a block lets a task run. */
function admits(block: Block, task: Task): boolean {
  return task === block.holder || task.free || task.within === block;
}

/** The innermost block that is open. */
export function innermost(): Block | undefined {
  return state.blocks.at(-1);
}

/** The innermost block that a task runs in. */
export function blockOf(task: Task): Block | undefined {
  return state.blocks.findLast((it) => it.holder === task || it === task.within);
}

/** Whether a task may not run now, or not open a block. */
export function isBlocked(task: Task, opens = false): boolean {
  const block = innermost();
  return (block !== undefined && !admits(block, task)) || (opens && state.arriving > 0);
}

/**
 * Whether a task has to wait before it goes on from an `await`.
 * @throws the reason, where it is to be cancelled.
 */
export function mustWait(task: Task): boolean {
  const { pending } = task;
  if (pending !== undefined) {
    task.pending = undefined;
    state.f -= 1;
    throw pending.reason;
  }
  return isBlocked(task);
}

/** Waits until a task is let in. Who has waited says so with {@link arrive}, at once. */
export function wait(task: Task, stays = false, opens = false): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    state.waiters.push({ task, opens, stays, resolve, reject });
    closes(task);
  });
}

/** Who was let in has resumed. The next one is let in behind what it does now. */
export function arrive(): void {
  state.arriving -= 1;
  queueMicrotask(letIn);
}

/** Lets in the first who may: one at a time, so that it can open a block before the next one runs. */
export function letIn(): void {
  if (state.arriving > 0) return;
  const index = state.waiters.findIndex((it) => !isBlocked(it.task, it.opens));
  if (index < 0) return;
  const [waiter] = state.waiters.splice(index, 1);
  state.arriving += 1;
  waiter?.resolve();
}

/** Opens a block; inside one of the same task that is the innermost, the same one goes on. */
export function open(holder: Task): Block {
  const outer = innermost();
  if (outer?.holder === holder) {
    outer.depth += 1;
    return outer;
  }
  const block: Block = {
    holder,
    depth: 1,
    contained: new Set(),
    delayed: [],
    frames: 0,
    fail: () => undefined,
  };
  state.blocks.push(block);
  state.f += 1;
  closes(holder);
  return block;
}

/** Ends a block, or one of several of its task. */
export function close(block: Block): void {
  block.depth -= 1;
  const index = state.blocks.indexOf(block);
  if (block.depth > 0 || index < 0) return;
  state.blocks.splice(index, 1);
  state.f -= 1;
  const outermost = state.blocks[0];
  if (outermost === undefined) for (const it of block.delayed) it.start();
  else outermost.delayed.push(...block.delayed);
  const inner = innermost();
  if (inner !== undefined) closes(inner.holder);
  queueMicrotask(letIn);
}

/** Ends a block that does not end by itself: its body goes on, and holds nothing any more. */
export function abandon(block: Block, error: Error): void {
  if (!state.blocks.includes(block)) return;
  block.depth = 1;
  close(block);
  state.tell(error);
  block.fail(error);
}

/** See {@link Task.cancel}. */
export function cancelTask(task: Task, reason: unknown): void {
  if (task.stage === "delayed") {
    for (const { delayed } of state.blocks) {
      const index = delayed.findIndex((it) => it.task === task);
      if (index >= 0) delayed.splice(index, 1);
    }
    task.stage = "cancelled";
    task.reject(reason);
    return;
  }
  if (task.stage !== "running" || task.pending !== undefined || task === state.r) return;
  task.reason = reason;
  const waiting = state.waiters.filter((it) => it.task === task && !it.stays);
  if (waiting.length === 0) {
    task.pending = { reason };
    state.f += 1;
    return;
  }
  for (const waiter of waiting) leaveGate(waiter, reason);
}

/** Ends somebody's wait at the gate with a reason. */
export function leaveGate(waiter: Waiter | undefined, reason: unknown): void {
  const index = state.waiters.findIndex((it) => it === waiter);
  if (index < 0) return;
  state.waiters.splice(index, 1);
  waiter?.reject(reason);
}
