// Runs instrumented programs: `node child.mjs JOB`, a file with the programs and what was computed
// for their functions; writes what was missed to the file that the job names.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** @typedef {{ folder: string, out: string, functions: import("./transform.mjs").Fun[],
 *   computed: any[], programs: { name: string, main: string }[], trace: boolean }} Job */

for (const name of /** @type {const} */ (["log", "error", "warn", "info", "debug"])) {
  console[name] = () => {};
}
const { begin, counts, end, install } = await import("./runtime.mjs");
await import("./api.mjs");
const pause = globalThis.setTimeout;
const wait = (/** @type {number} */ time) => new Promise((resolve) => pause(resolve, time));
install();

/** @type {Job} */
const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
/** @type {Record<string, string>} */
const failed = {};
let running = "";
const fail = (/** @type {unknown} */ error) => {
  failed[running] ??= String(error instanceof Error ? error.stack : error).slice(0, 400);
};
process.on("unhandledRejection", fail);
process.on("uncaughtException", fail);

const results = [];
const computed = job.computed.map((c) => c ?? undefined);
for (const { name, main } of job.programs) {
  running = name;
  /** @type {Set<string>} */
  const records = new Set();
  begin(job.functions, computed, (fn, phase, { kind, variable, key, text }) => {
    if (job.trace) records.add(`${fn} ${phase} ${kind} ${variable ?? (key || text)}`);
  });
  try {
    await import(pathToFileURL(join(job.folder, name, main)).href);
  } catch (error) {
    fail(error);
  }
  await wait(3);
  results.push({ name, misses: end(), records: [...records] });
}
writeFileSync(job.out, JSON.stringify({ results, counts, failed }));
process.exit(0);
