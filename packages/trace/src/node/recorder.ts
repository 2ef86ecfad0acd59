import { recordThread, type ThreadOptions } from "./record-thread.js";

/** Records the thread that calls it, as `headstart trace record` has told in the environment. */
export function record(told: string): void {
  recordThread(JSON.parse(told) as ThreadOptions, __filename);
}
