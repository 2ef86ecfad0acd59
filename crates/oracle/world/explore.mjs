// Running a program under the schedules of one world and one set of failures.

import { setImmediate } from "node:timers";
import { record } from "./record.mjs";
import { World } from "./world.mjs";

const MODES = ["end", "start", "mixed"];

let waiting = [];

/** Resumes in the next turn of the event loop, when nothing is left of this one. */
function turn() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length > 1) return;
    setImmediate(() => {
      const resumed = waiting;
      waiting = [];
      for (const resume of resumed) resume();
    });
  });
}

/** Whole turns of the event loop, until nobody has asked for another one. */
async function settle(world) {
  do {
    await turn();
  } while (world.callBack());
}

/** Runs a program once; `choose` is asked which of `n` things happens next. */
export async function execute(factory, situation, choose, log) {
  const world = new World({ ...situation, log });
  try {
    world.begin(factory(world));
  } catch (error) {
    world.trace.main = `does not load: ${String(error)}`;
    world.trace.broken = true;
  }
  await settle(world);
  for (let count = world.enabled(); count > 0; count = world.enabled()) {
    world.fire(count === 1 ? 0 : choose(count));
    await settle(world);
  }
  world.finish();
  return world.trace;
}

process.on("unhandledRejection", (error) => {
  // An error of the engine itself names no run; it is met again as an outcome.
  error?.world?.trace.unhandled.push(String(error.message));
});

/** Goes through all schedules, in the order of a depth-first search. */
class DepthFirst {
  choices = [];
  #degrees = [];
  #depth = 0;

  choose = (count) => {
    const choice = this.choices[this.#depth] ?? 0;
    this.choices[this.#depth] = choice;
    this.#degrees[this.#depth] = count;
    this.#depth += 1;
    return choice;
  };

  /** Makes ready for the next schedule; false where there is none. */
  next() {
    this.choices.length = this.#depth;
    this.#depth = 0;
    while (this.choices.length > 0) {
      const last = this.choices.length - 1;
      this.choices[last] += 1;
      if (this.choices[last] < this.#degrees[last]) return true;
      this.choices.pop();
    }
    return false;
  }
}

/** A generator of numbers that a seed determines (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Adds to counts by name what others have more. */
export function keepMost(counts, others) {
  for (const [key, count] of others) counts.set(key, Math.max(counts.get(key) ?? 0, count));
}

/** What a program does under the schedules that were tried. */
export class Behaviours {
  /** The runs that differ, by what is compared first and by all that is compared. */
  byCore = new Map();
  reads = new Set();
  unhandled = new Set();
  started = new Set();
  /** How often each operation has started in one run, where that is more than once. */
  repeated = new Map();
  overlapped = new Set();
  isComplete = false;
  isBroken = false;
  runs = 0;
  #ids = new Set();
  #modes = MODES.slice();
  #search = new DepthFirst();
  #timingMatters = false;

  constructor(factory, situation) {
    this.factory = factory;
    this.situation = situation;
  }

  *records() {
    for (const records of this.byCore.values()) yield* records;
  }

  /** Tries up to `limit` schedules that have not been tried. */
  async explore(limit) {
    for (let left = limit; left > 0 && !this.isComplete; left -= 1) {
      const search = this.#search;
      await this.#run(this.#modes[0], search.choose, () => search.choices.slice());
      if (search.next()) continue;
      this.#modes.shift();
      this.#search = new DepthFirst();
      // When effects happen makes no difference where nothing that writes overlaps anything.
      this.isComplete = this.#modes.length === 0 || !this.#timingMatters;
    }
  }

  /** Tries `count` schedules at random, unless all have been tried. */
  async sample(count) {
    for (let index = 0; index < count && !this.isComplete; index += 1) {
      const next = random(this.situation.seed * 7919 + index);
      const choices = [];
      const choose = (bound) => {
        choices.push(next(bound));
        return choices[choices.length - 1];
      };
      await this.#run(MODES[next(MODES.length)], choose, () => choices);
    }
  }

  async #run(mode, choose, choices) {
    const trace = await execute(this.factory, { ...this.situation, mode }, choose);
    this.runs += 1;
    this.isBroken ||= trace.broken;
    this.#timingMatters ||= trace.timingMatters;
    const entry = record(trace);
    if (this.#ids.has(entry.id)) return;
    this.#ids.add(entry.id);
    for (const key of trace.started) this.started.add(key);
    keepMost(this.repeated, trace.repeated);
    for (const pair of trace.overlapped) this.overlapped.add(pair);
    for (const { start } of entry.reads) this.reads.add(start);
    for (const error of entry.unhandled) this.unhandled.add(error);
    const alike = this.byCore.get(entry.core) ?? [];
    this.byCore.set(entry.core, alike);
    alike.push({ ...entry, mode, choices: choices() });
  }
}
