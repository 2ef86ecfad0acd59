/**
 * Runs one variant of one program in a process of its own, so that no other variant shapes its inline
 * caches. Argument: a JSON file with `module`, `input` and `expected`. Every result is compared with
 * `expected`. The parent sends `{warm: ms}` or `{sample: ms}`; the answer to a sample is nanoseconds
 * of CPU, of all threads, for one run.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { run } = await import(pathToFileURL(job.module));

/** Only values count, so results are compared as JSON would write them. */
function check(result) {
  assert.deepEqual(JSON.parse(JSON.stringify(result)), job.expected);
}

/** Microseconds of CPU, user and system. */
function cpu(since) {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}

/**
 * Does not collect garbage first: that throws away the hidden classes of which no object is alive, and
 * with them the optimised code that rests on them.
 */
async function runs(count) {
  const start = process.cpuUsage();
  let result;
  for (let i = 0; i < count; i += 1) result = await run(job.input);
  const spent = cpu(start);
  check(result);
  return spent;
}

/** Runs for a sample, found while warming up. */
let count = 1;

async function warm(ms) {
  const start = process.cpuUsage();
  let spent = await runs(1);
  while (cpu(start) < ms * 1000) {
    if (spent < 10_000) count *= 2;
    spent = await runs(count);
  }
  return spent / count;
}

async function sample(ms, each) {
  if (each > 0) count = Math.max(1, Math.round((ms * 1000) / each));
  return ((await runs(count)) * 1000) / count;
}

let each = 0;
const actions = {
  warm: async (ms) => {
    each = await warm(ms);
    return true;
  },
  sample: async (ms) => {
    const nanoseconds = await sample(ms, each);
    each = nanoseconds / 1000;
    return nanoseconds;
  },
};

/** Sends what an action comes to, or why it failed. */
async function answer(action) {
  try {
    process.send({ value: await action() });
  } catch (error) {
    process.send({ fault: error instanceof assert.AssertionError ? "wrong result" : `${error}` });
  }
}

process.on("message", (message) => {
  const [[name, value]] = Object.entries(message);
  void answer(() => actions[name](value));
});
await answer(async () => check(await run(job.input)));
