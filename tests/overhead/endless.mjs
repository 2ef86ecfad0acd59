// Recursion without an end, in a thread of its own with little memory. What is posted: what the program gives.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** Room for some hundred thousand async functions that wait; without a bound, it is used up at once. */
const HEAP_MB = 512;

/** Runs a program, the body of a function that gives a function; resolves to what that resolves to. */
export function apart(text) {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  const worker = new Worker(new URL(import.meta.url), { workerData: { text }, resourceLimits });
  let result;
  worker.once("message", (value) => (result = { value }));
  return new Promise((resolve, reject) => {
    // A rejection that nobody handles is an error of the thread, after the result too.
    worker.once("error", reject);
    worker.once("exit", () =>
      result ? resolve(result.value) : reject(new Error("ended without a result")),
    );
  });
}

if (!isMainThread && typeof workerData?.text === "string") {
  parentPort.postMessage(await new Function(workerData.text)()());
}
