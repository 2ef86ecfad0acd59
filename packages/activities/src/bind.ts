"ungated";

import { arrive, isBlocked, wait } from "./gate.js";
import { inTask } from "./run.js";
import { state } from "./task.js";

/** The same function, which runs in the task that runs now, whoever calls it. It does not wait at the gate: see {@link gated}. */
export function bind<This, Args extends unknown[], Result>(
  callback: (this: This, ...args: Args) => Result,
): (this: This, ...args: Args) => Result {
  const task = state.c;
  return function (...args) {
    return inTask(task, () => callback.apply(this, args));
  };
}

/**
 * As {@link bind}, and it waits at the gate first, as an `await` would: what is called back by an emitter or a timer keeps
 * out of the atomic blocks of others. It is called also once its task is to be cancelled: that ends what the task waits for.
 */
export function gated<This, Args extends unknown[], Result>(
  callback: (this: This, ...args: Args) => Result | PromiseLike<Result>,
): (this: This, ...args: Args) => Promise<Result> {
  const task = state.c;
  return async function (...args) {
    if (state.f > 0 && isBlocked(task)) {
      await wait(task, true);
      arrive();
    }
    return await inTask(task, () => callback.apply(this, args));
  };
}
