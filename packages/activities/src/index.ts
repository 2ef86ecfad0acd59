export { act, wait } from "./act.js";
export { atomic, type AtomicOptions } from "./atomic.js";
export { bind, gated } from "./bind.js";
export { AtomicDeadlockError, EscapedWorkError } from "./errors.js";
export { onProblem } from "./report.js";
export type { Body, Steps } from "./run.js";
export { spawn, type SpawnOptions } from "./spawn.js";
export { current, type Task, type TaskState } from "./task.js";
