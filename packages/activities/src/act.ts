import { begin, type Steps } from "./run.js";
import { state } from "./task.js";

/**
 * Runs a generator function as an `async` function of the task that calls it, for code that is not compiled: `yield*
 * wait(promise)` stands for `await promise`, resumes in its task, and keeps out of the atomic blocks of others.
 */
export function act<T>(body: () => Steps<T>): Promise<T> {
  return Promise.resolve(begin(state.c, body));
}

/** Waits for a promise in a generator function that {@link act}, `spawn` or `atomic` runs. */
export function* wait<T>(promise: T): Generator<T, Awaited<T>, never> {
  return yield promise;
}
