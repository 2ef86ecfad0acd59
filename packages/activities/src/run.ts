"ungated";

import { arrive, blockOf, isBlocked, mustWait, wait, type Block } from "./gate.js";
import { state, type Task } from "./task.js";

/** What a task, a block or {@link act} runs: a function, also `async`, or a generator function. */
export type Body<T> = () => T | PromiseLike<T> | Steps<T>;

/** What a generator function gives whose `yield*` waits: see {@link act}. */
export type Steps<T> = Generator<unknown, T, never>;

/** Runs something in a task up to where it first waits, and gives what it gives. */
export function inTask<T>(task: Task, body: () => T): T {
  const before = state.c;
  state.c = task;
  try {
    return body();
  } finally {
    state.c = before;
  }
}

/** Starts a body in a task: a generator function goes on step by step. */
export function begin<T>(task: Task, body: Body<T>): T | PromiseLike<T> {
  const given = inTask(task, body);
  return isSteps(given) ? steps(task, given) : given;
}

function isSteps<T>(value: T | PromiseLike<T> | Steps<T>): value is Steps<T> {
  return Object.prototype.toString.call(value) === "[object Generator]";
}

/** Takes the steps of a generator, each in its task, and behind the gate. */
async function steps<T>(task: Task, generator: Steps<T>): Promise<T> {
  const block = enter(task);
  let input: unknown;
  let hasFailed = false;
  const next = () => (hasFailed ? generator.throw(input) : generator.next(input as never));
  try {
    for (;;) {
      const step = inTask(task, next);
      if (step.done === true) return step.value;
      try {
        input = await step.value;
        hasFailed = false;
      } catch (error) {
        [input, hasFailed] = [error, true];
      }
      // It has been resumed, and stands at the bottom of the stack: nobody below it has a task.
      state.c = state.r;
      try {
        if (state.f > 0 && mustWait(task)) {
          await wait(task);
          arrive();
        }
      } catch (reason) {
        [input, hasFailed] = [reason, true];
        state.c = state.r;
        // What handles that keeps out of the blocks of others, too.
        if (isBlocked(task)) {
          await wait(task, true);
          arrive();
        }
      }
    }
  } finally {
    leave(block);
  }
}

/** Notes that a call that resumes is under way in the block of its task, if there is one. */
export function enter(task: Task): Block | undefined {
  const block = blockOf(task);
  if (block !== undefined) block.frames += 1;
  return block;
}

/** Notes that such a call has ended, or does not go on by itself. */
export function leave(block: Block | undefined): undefined {
  if (block !== undefined) block.frames -= 1;
}
