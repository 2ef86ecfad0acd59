// Writes a trace of so many events, as a busy server would leave it: node --import tsx bench/generate.ts EVENTS FILE
import { openSync } from "node:fs";

import { createTraceFile, writeIndex } from "../src/format/chunk-file.js";
import { TypeFlag } from "../src/format/layout.js";
import { ThreadWriter } from "../src/format/thread-writer.js";

/** Requests that are under way at a time. */
const REQUESTS = 50;

const [events = "1000000", file = "generated.trace"] = process.argv.slice(2);
createTraceFile(file, { recorder: "generator", subject: `${events} events`, started: 0 });
const writer = new ThreadWriter(openSync(file, "a"), 1, 0);
writer.describe("generated");
const socket = writer.defineType("socket", 0);
const microtask = TypeFlag.PROMISE_SPACE | TypeFlag.MICROTASK;
const plain = writer.defineType("promise", microtask);
const chained = writer.defineType("reaction", microtask);
const sites = Array.from({ length: 300 }, (_, line) =>
  writer.defineSite("f", "/app/server.js", line, 1),
);

let seed = 1;
/** A number from 0 to `limit` - 1, the same ones in each run. */
function random(limit: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >>> 8) % limit;
}

let time = 0;
let resources = 0;
let count = 0;
const waiting: number[] = [];

function register(): void {
  if (random(20) === 0) writer.site(sites[random(sites.length)] ?? 0, 20);
  writer.init(socket, ++resources);
  waiting.push(resources);
  count++;
}

/** Runs what a callback has awaited: each reaction chains one more, some of them. */
function drain(reactions: number[]): void {
  // It grows meanwhile.
  for (const reaction of reactions) {
    writer.beginPromiseNow(reaction);
    if (random(3) === 0 && reactions.length < 12) reactions.push(chain());
    time += 5 + random(60);
    writer.end(time);
    count += 2;
  }
}

function chain(): number {
  const promise = writer.initPromise(plain);
  count += 2;
  return writer.initReaction(chained, promise);
}

for (let request = 0; request < REQUESTS; request++) register();
while (count < Number(events)) {
  const place = random(waiting.length);
  const [id = 0] = waiting.splice(place, 1);
  time += random(300);
  writer.beginResource(id, time);
  const reactions = [chain(), chain()];
  // Something that is never reacted to, and what is registered in vain.
  writer.initPromise(plain);
  if (random(50) === 0) writer.init(socket, ++resources);
  if (waiting.length < REQUESTS) register();
  if (random(9) === 0 && waiting.length < 2 * REQUESTS) register();
  time += 20 + random(400);
  writer.end(time);
  count += 3;
  drain(reactions);
}
writer.flush();
writeIndex(file);
