import { state } from "./task.js";

/** Has problems that nobody waits for told to somebody else than the console: blocks that last too long. */
export function onProblem(tell: (problem: Error) => void): void {
  state.tell = tell;
}
