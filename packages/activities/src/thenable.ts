"ungated";

import { isMethod, isObject } from "./iterate.js";
import { inTask } from "./run.js";
import type { Task } from "./task.js";

/** What is waited for in a task: what is no promise and has a `then`, such as a query that starts there, runs in that task. */
export function thenable(value: unknown, task: Task): unknown {
  if (!isObject(value) || value instanceof Promise) return value;
  const { then } = value as { then?: unknown };
  if (!isMethod(then)) return value;
  return {
    then: (...handlers: unknown[]) => inTask(task, () => Reflect.apply(then, value, handlers)),
  };
}
