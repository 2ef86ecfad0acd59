"ungated";

import { arrive, isBlocked, wait } from "./gate.js";
import { isMethod, isObject } from "./iterate.js";
import { inTask } from "./run.js";
import type { Task } from "./task.js";

/**
 * What is waited for in a task: what is no promise and has a `then`, such as a query that starts there, runs in that task. The
 * language calls it in a microtask of its own, before which another task may have opened a block.
 */
export function thenable(value: unknown, task: Task): unknown {
  if (!isObject(value) || value instanceof Promise) return value;
  const { then } = value as { then?: unknown };
  if (!isMethod(then)) return value;
  return {
    then: (...handlers: unknown[]) => {
      const starts = () => inTask(task, () => Reflect.apply(then, value, handlers));
      if (!isBlocked(task)) return starts();
      return wait(task, true).then(() => {
        arrive();
        try {
          starts();
        } catch (error) {
          (handlers[1] as (error: unknown) => void)(error);
        }
      });
    },
  };
}
