/**
 * One process of `real.mjs`: runs a program until it is warm, then takes five samples, and prints the least CPU time of a
 * round, how many promises one makes, and what the program gives.
 *
 *   node real-worker.mjs PROGRAM WARM_MS SAMPLE_MS
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promiseHooks } from "node:v8";

const [program, warm, sample] = process.argv.slice(2);
const { run } = await import(pathToFileURL(path.resolve(program)).href);

/** Runs so many rounds; the CPU time that they take, in milliseconds. */
async function time(rounds) {
  const start = process.cpuUsage();
  await run(rounds);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const result = await run(3);
let rounds = 1;
for (let spent = 0; spent < Number(warm);) {
  const took = await time(rounds);
  spent += took;
  if (took < Number(sample)) rounds *= 2;
}
const times = [];
for (let at = 0; at < 5; at++) times.push((await time(rounds)) / rounds);
let promises = 0;
const stop = promiseHooks.onInit(() => promises++);
await run(1);
stop();
console.log(JSON.stringify({ result, promises, time: Math.min(...times) }));
