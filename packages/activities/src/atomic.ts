"ungated";

import { EscapedWorkError } from "./errors.js";
import {
  abandon,
  arrive,
  close,
  isBlocked,
  leaveGate,
  open,
  queued,
  stuck,
  type Block,
} from "./gate.js";
import { begin, type Body } from "./run.js";
import { newTask, onAbort, settled } from "./spawn.js";
import { state, type Task } from "./task.js";

export interface AtomicOptions {
  /** After how long a block that has not ended is reported, and after how long it is given up, in milliseconds. */
  deadlock?: { warnMs?: number; failMs?: number };
  /** Ends the wait for the block to open with its reason. */
  signal?: AbortSignal;
}

/**
 * Runs `body` so that no other task goes on from an `await` until it has ended: what it has read is still so when it
 * writes. Inside another block of the same task it is a part of that. Outside of all tasks the body gets a task of its own.
 *
 * Within the block the task may still interleave with itself (`Promise.all`). An error ends the block and goes on to the
 * caller; nothing is rolled back.
 *
 * @throws {@link EscapedWorkError} where calls that nobody waits for are under way when the body has ended
 * @throws `AtomicDeadlockError` where the block has been given up (`failMs`, or nothing else can happen in the process)
 */
export function atomic<T>(body: Body<T>, options: AtomicOptions = {}): Promise<T> {
  const caller = state.c;
  if (caller !== state.r) return inBlock(caller, body, options);
  const task = newTask<T>("an atomic block", atomic);
  return settled(task, inBlock(task, body, options));
}

async function inBlock<T>(task: Task, body: Body<T>, options: AtomicOptions): Promise<T> {
  options.signal?.throwIfAborted();
  if (isBlocked(task, true)) {
    await opening(task, options.signal);
    arrive();
    state.c = state.r;
  }
  const block = open(task);
  if (block.depth > 1) return held(block, body, options);
  return new Promise<T>((resolve, reject) => {
    block.fail = reject;
    held(block, body, options).then(resolve, reject);
  });
}

/** Waits until a block may be opened, or nobody wants that any more. */
function opening(task: Task, signal: AbortSignal | undefined): Promise<void> {
  const { promise, waiter } = queued(task, false, true);
  onAbort(signal, promise, (reason) => {
    leaveGate(waiter, reason);
  });
  return promise;
}

/** The body, what was spawned to be contained in it, and the end of the block. */
async function held<T>(block: Block, body: Body<T>, options: AtomicOptions): Promise<T> {
  const timers = watch(block, options);
  let given: () => T;
  try {
    const value = await begin(block.holder, body);
    given = () => value;
  } catch (error) {
    given = () => {
      throw error;
    };
  }
  // Asked again behind each wait: the task may go on in another branch, and spawn more.
  while (block.depth === 1 && block.contained.size > 0) await endOfOne(block.contained);
  timers.forEach(clearTimeout);
  close(block);
  const value = given();
  if (block.depth === 0 && block.frames > 0) throw escaped(block);
  return value;
}

async function endOfOne([first]: Iterable<Task>): Promise<void> {
  await first?.result.catch(() => undefined);
}

function escaped({ frames, holder }: Block): EscapedWorkError {
  return new EscapedWorkError(
    `${String(frames)} calls outlive the atomic block of ${holder.name}; wait for them inside, or spawn a task`,
  );
}

function watch(block: Block, { deadlock = {} }: AtomicOptions) {
  const after = (ms: number | undefined, then: (error: Error) => void) =>
    ms === undefined
      ? undefined
      : setTimeout(() => {
          const message = `An atomic block lasts for ${String(ms)} ms; it may wait for one that it keeps out:`;
          then(stuck(block, message));
        }, ms);
  return [
    after(deadlock.warnMs, state.tell),
    after(deadlock.failMs, (error) => {
      abandon(block, error);
    }),
  ];
}
