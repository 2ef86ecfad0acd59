// Original against rewritten, over worlds, failures and schedules.

import { difference } from "./compare.mjs";
import { compile } from "./compile.mjs";
import { Behaviours, execute, random } from "./explore.mjs";

const WORLDS = 2;
/** For each mode: what is tried of the original and of the rewritten program. */
const ORIGINAL_SCHEDULES = 300;
const REWRITTEN_SCHEDULES = 40;
/** Sets of failures that are tried in one world. */
const MOST_FAILURES = 16;

/**
 * @param {{original: string, rewritten: string, seed: number}} program
 * @returns {Promise<{runs: number, undecided: number, invalid: boolean, violation: object | null}>}
 */
export async function check(program) {
  const result = { runs: 0, undecided: 0, invalid: false, violation: null };
  let original;
  let rewritten;
  try {
    original = compile(program.original);
  } catch {
    return { ...result, invalid: true };
  }
  try {
    rewritten = compile(program.rewritten);
  } catch (error) {
    return { ...result, violation: { rule: "S4 syntax", detail: String(error), schedule: [] } };
  }
  for (let index = 0; index < WORLDS && result.violation === null; index += 1) {
    const comparison = new Comparison(original, rewritten, program.seed * WORLDS + index);
    await comparison.run(result);
    if (result.invalid) return result;
  }
  return result;
}

/** Both programs in one world. */
class Comparison {
  #originals = new Map();
  #handlerKeys = new Set();

  constructor(original, rewritten, seed) {
    this.original = original;
    this.rewritten = rewritten;
    this.seed = seed;
  }

  async run(result) {
    const queue = [new Map()];
    const seen = new Set([""]);
    const add = (failures) => {
      const name = nameOf(failures);
      if (seen.has(name) || seen.size > MOST_FAILURES) return;
      seen.add(name);
      queue.push(failures);
    };
    for (const failures of queue) {
      const base = await this.#behaviours(failures, result);
      if (base.isBroken && failures.size === 0) {
        result.invalid = true;
        return;
      }
      const now = new Behaviours(this.rewritten, { seed: this.seed, failures });
      await now.explore(REWRITTEN_SCHEDULES);
      result.runs += now.runs;
      result.violation = await this.#compare(failures, base, now, result);
      if (result.violation !== null) return;
      this.#plan(failures, base, now, add);
    }
  }

  /** Which failures to try next: each operation alone, then what may fail together. */
  #plan(failures, base, now, add) {
    const keys = [...new Set([...base.started, ...now.started])];
    if (failures.size === 0) {
      const next = random(this.seed);
      for (const key of keys) add(new Map([[key, Infinity]]));
      for (const pair of now.overlapped) {
        if (!base.overlapped.has(pair)) add(allOf(pair.split("\n")));
      }
      add(allOf([keys[next(keys.length)], keys[next(keys.length)]].filter(Boolean)));
      for (const key of base.repeated) add(new Map([[key, 1]]));
      for (const key of keys) this.#handlerKeys.add(key);
    } else if (failures.size === 1) {
      // What only runs when something has failed.
      const later = keys.filter((key) => !this.#handlerKeys.has(key));
      for (const key of later) add(new Map([...failures, [key, Infinity]]));
    }
  }

  async #behaviours(failures, result) {
    const name = nameOf(failures);
    const known = this.#originals.get(name);
    if (known !== undefined) return known;
    const behaviours = new Behaviours(this.original, { seed: this.seed, failures });
    this.#originals.set(name, behaviours);
    await behaviours.explore(ORIGINAL_SCHEDULES);
    result.runs += behaviours.runs;
    return behaviours;
  }

  async #compare(failures, base, now, result) {
    const fewer = [];
    for (const subset of subsets(failures)) fewer.push(await this.#fewer(failures, subset, result));
    const wasted = new Set();
    for (const { behaviours } of fewer) {
      for (const { reads } of behaviours.records.values()) {
        for (const { start } of reads) wasted.add(start);
      }
    }
    const allowed = { nothingFails: failures.size === 0, wasted };
    const candidates = [
      { behaviours: base, isRelaxed: false },
      ...fewer.filter(({ isOutcome }) => isOutcome).map((it) => ({ ...it, isRelaxed: true })),
    ];
    for (const run of now.records.values()) {
      let closest = nearest(run, candidates, allowed);
      if (closest === undefined) continue;
      if (!base.isComplete) {
        await base.widen(1000);
        closest = nearest(run, candidates, allowed);
        if (closest !== undefined) result.undecided += 1;
        continue;
      }
      const schedule = await this.#schedule(failures, run);
      return { rule: closest.rule, detail: closest.detail, schedule };
    }
    return null;
  }

  async #fewer(failures, subset, result) {
    const dropped = [...failures.keys()].filter((key) => !subset.has(key));
    const isOutcome = subset.size > 0 && dropped.every((key) => isInterchangeable(key, subset));
    return { behaviours: await this.#behaviours(subset, result), isOutcome };
  }

  /** The schedule of a run, one line an event. */
  async #schedule(failures, run) {
    const log = [`world ${String(this.seed)}, effects at the ${run.mode}`];
    if (failures.size > 0) log.push(`fails: ${nameOf(failures).replaceAll("\n", ", ")}`);
    const choices = run.choices.slice();
    const situation = { seed: this.seed, failures, mode: run.mode };
    const trace = await execute(this.rewritten, situation, () => choices.shift() ?? 0, log);
    log.push(`main ${trace.main}`);
    return log;
  }
}

/**
 * The difference to the run of the original that comes closest; none where one allows the run.
 */
function nearest(run, candidates, allowed) {
  let closest;
  for (const { behaviours, isRelaxed } of candidates) {
    for (const original of behaviours.records.values()) {
      const found = difference(run, original, { ...allowed, isRelaxed });
      if (found === undefined) return undefined;
      if (closest === undefined || found.stage > closest.stage) closest = found;
    }
  }
  return closest;
}

/**
 * Whether the error of one that is left may stand for the one that is dropped. Operations in a
 * `try` whose handler tells errors apart are marked: `t1/a`, `t2.example`. Those of one mark are
 * in one function below it.
 */
function isInterchangeable(dropped, left) {
  const mark = markOf(dropped);
  return mark === undefined || [...left.keys()].some((key) => markOf(key) === mark);
}

function markOf(key) {
  return /\bt\d+(?=[/.])/.exec(key)?.[0];
}

function allOf(keys) {
  return new Map(keys.map((key) => [key, Infinity]));
}

function nameOf(failures) {
  return [...failures].map(([key, count]) => (count === Infinity ? key : `${key} once`)).sort().join("\n");
}

/** All proper subsets. */
function subsets(failures) {
  let found = [[]];
  for (const entry of failures) found = found.flatMap((subset) => [subset, [...subset, entry]]);
  return found.filter((subset) => subset.length < failures.size).map((subset) => new Map(subset));
}
