import type { Task } from "headstart-activities";

import { internal } from "../scripts/internal.mjs";

const field = (task: Task, name: string): unknown => Reflect.get(task, internal[name] ?? "");

/** What nobody else sees of a task: where only the package knows whether it is inside of a block that ends. */
export const inside = {
  isWithin: (task: Task) => field(task, "within") !== undefined,
  isFree: (task: Task) => field(task, "free") === true,
};
