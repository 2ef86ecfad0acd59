// Recursion as deep as the limits are, and deeper, on a thread with a stack that the original, too, has
// room on. What is posted: how many programs ran, and what differs.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

import { optimize } from "headstart";

import { differ } from "./differ.mjs";
import { generateCalls } from "./generate-calls.mjs";
import { random } from "./generate.mjs";
import { differs, programs } from "./recursion.mjs";

const STACK_MB = 256;
/** Around the limit, and beyond it. */
const DEPTHS = [0, 1, 49, 50, 51, 166, 250, 499, 500, 501, 502, 1200, 5000];
const FEW_DEPTHS = [51, 501, 2500];

/** Runs one of the jobs below; resolves to what it gives. */
export function deeply(job, options) {
  const resourceLimits = { stackSizeMb: STACK_MB };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { job, options },
    resourceLimits,
  });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("ended without a result")));
  });
}

const JOBS = {
  /** One of so many constructs in the forms of functions. */
  async constructs({ every, ticks }) {
    let count = 0;
    for (const { what, text } of programs(every)) {
      count += 1;
      const source = `"use strict";\n${text}`;
      const { code } = optimize(source, { file: "deep.js", ticks });
      const difference = await differs(source, code, FEW_DEPTHS, [undefined]);
      if (difference !== undefined) return { count, difference: { what, ...difference } };
    }
    return { count };
  },

  /** Random functions, or random programs of them. */
  async random({ seed, count, calls, ticks }) {
    const run = (code) => ({ ...optimize(code, { file: "deep.js", ticks }), error: null });
    let converted = 0;
    for (let at = seed; at < seed + count; at++) {
      const depth = random(at + 3).pick(DEPTHS);
      const options = { ticks: ticks === "exact", depth, limits: undefined, most: 3 };
      const result = await differ(
        at,
        run,
        calls ? { ...options, program: generateCalls(at) } : options,
      );
      converted += Number(result.converted);
      const { reason, behaviours } = result.mismatch ?? {};
      if (result.mismatch) return { count, difference: { seed: at, depth, reason, behaviours } };
    }
    return { count, converted };
  },
};

if (!isMainThread && workerData?.job in JOBS) {
  /** What is rejected on purpose is nobody's business but that of who awaits it. */
  process.on("unhandledRejection", () => undefined);
  parentPort.postMessage(await JOBS[workerData.job](workerData.options));
}
