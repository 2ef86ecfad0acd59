import { closes } from "./deadlock.js";
import { AtomicDeadlockError } from "./errors.js";
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
  resolve: () => void;
  reject: (reason: unknown) => void;
  /** Whether it waits no more. */
  isGone: boolean;
}

/** Whether a block lets a task run. */
function admits(block: Block, task: Task): boolean {
  return task === block.holder || task.free || task.within === block;
}

/** The innermost block that is open. */
function innermost(): Block | undefined {
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
export function wait(task: Task, stays = false): Promise<void> {
  return queued(task, stays, false).promise;
}

/** The same, and who waits, who may open a block when it is let in. */
export function queued(
  task: Task,
  stays: boolean,
  opens: boolean,
): { promise: Promise<void>; waiter: Waiter } {
  const waiter = { task, opens, stays, isGone: false } as Waiter;
  const promise = new Promise<void>((resolve, reject) => {
    waiter.resolve = resolve;
    waiter.reject = reject;
  });
  state.waiters.push(waiter);
  task.waiting += 1;
  if (task.free) state.freeWaiting += 1;
  closes(task);
  return { promise, waiter };
}

/** Who was let in has resumed. The next one is let in behind what it does now. */
export function arrive(): void {
  state.arriving -= 1;
  queueMicrotask(letIn);
}

/** Lets in the first who may: one at a time, so that it can open a block before the next one runs. */
function letIn(): void {
  const { waiters } = state;
  while (waiters[state.first]?.isGone === true) state.first += 1;
  // What is over goes in one piece: taking each from the front would move all others each time.
  if (state.first * 2 > waiters.length) {
    waiters.splice(0, state.first);
    state.first = 0;
  }
  if (state.arriving > 0 || !somebodyMay()) return;
  for (let at = state.first; at < waiters.length; at += 1) {
    const waiter = waiters[at];
    if (waiter === undefined || waiter.isGone || isBlocked(waiter.task, waiter.opens)) continue;
    remove(waiter);
    state.arriving += 1;
    waiter.resolve();
    return;
  }
}

/** Whether anybody who waits may be let in: while a block is open, few are asked instead of all who wait. */
function somebodyMay(): boolean {
  const block = innermost();
  if (block === undefined || block.holder.waiting > 0 || state.freeWaiting > 0) return true;
  return Array.from(block.contained).some((it) => it.waiting > 0);
}

/** Who waits at the gate. */
export function waiting(): Waiter[] {
  return state.waiters.filter((it) => !it.isGone);
}

function remove(waiter: Waiter): void {
  waiter.isGone = true;
  waiter.task.waiting -= 1;
  if (waiter.task.free) state.freeWaiting -= 1;
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

/** What is said of a block that does not end by itself: who waits at the gate may be whom it waits for. */
export function stuck(block: Block, message: string): AtomicDeadlockError {
  const kept = waiting().map((it) => it.task);
  const delayed = state.blocks.flatMap((it) => it.delayed.map((late) => late.task));
  return new AtomicDeadlockError(message, [...new Set([block.holder, ...kept, ...delayed])]);
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
  const own = waiting().filter((it) => it.task === task && !it.stays);
  if (own.length === 0) {
    task.pending = { reason };
    state.f += 1;
  }
  for (const waiter of own) leaveGate(waiter, reason);
}

/** Ends somebody's wait at the gate with a reason. */
export function leaveGate(waiter: Waiter, reason: unknown): void {
  if (waiter.isGone) return;
  remove(waiter);
  waiter.reject(reason);
}
