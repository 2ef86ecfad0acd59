// Original against rewritten, over worlds, failures and schedules.

import { difference } from "./compare.mjs";
import { compile } from "./compile.mjs";
import { Behaviours, execute, keepMost, random } from "./explore.mjs";

const WORLDS = 2;
/** How many schedules of the rewritten program are tried, in order and at random. */
const SCHEDULES = { nothingFails: 30, otherwise: 8 };
/** How many of the original are tried at once, and at most. */
const STEP = 12;
const MOST = 1500;
/** So many occurrences of one operation fail from the first, or do not, where fewer are tried than fail. */
const MOST_FIRST = 8;

/** Sets of failures that are tried in one world. */
const MOST_FAILURES = 12;

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
  /** How often some run, with whatever failures, has made what it makes more than once. */
  #repeated = new Map();
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
      const isTicking = failures.size === 0;
      const base = await this.#behaviours(failures, isTicking, result);
      if (base.isBroken && failures.size === 0) {
        result.invalid = true;
        return;
      }
      const now = new Behaviours(this.rewritten, { seed: this.seed, failures, isTicking });
      const limit = failures.size === 0 ? SCHEDULES.nothingFails : SCHEDULES.otherwise;
      await now.explore(limit);
      await now.sample(limit / 2);
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
      // What the rewrite made overlap comes first.
      const pairs = [...now.overlapped].filter((pair) => !base.overlapped.has(pair)).slice(0, 4);
      const together = pairs.map((pair) => pair.split("\n").map(keyOf));
      for (const key of together.flat()) add(allOf([key]));
      for (const keys of together) add(allOf(keys));
      for (const key of keys.slice(0, 5)) add(allOf([key]));
      add(allOf([keys[next(keys.length)], keys[next(keys.length)]].filter(Boolean)));
      // Which occurrence is the first is another question where the rewrite has moved one.
      const moved = new Set(
        [...now.overlapped]
          .filter((pair) => !base.overlapped.has(pair))
          .flatMap((pair) => pair.split("\n").map(keyOf)),
      );
      const still = [...base.repeated.keys()].filter((key) => !moved.has(key));
      for (const key of still) add(new Map([[key, 1]]));
      for (const key of keys) this.#handlerKeys.add(key);
    } else if (failures.size === 1) {
      // What only runs when something has failed.
      const later = keys.filter((key) => !this.#handlerKeys.has(key));
      for (const key of later) add(new Map([...failures, [key, Infinity]]));
    }
  }

  async #behaviours(failures, isTicking, result) {
    const name = `${String(isTicking)} ${nameOf(failures)}`;
    const known = this.#originals.get(name);
    if (known !== undefined) return known;
    const behaviours = new Behaviours(this.original, { seed: this.seed, failures, isTicking });
    this.#originals.set(name, behaviours);
    await this.#extend(behaviours, result);
    return behaviours;
  }

  async #extend(behaviours, result) {
    const before = behaviours.runs;
    await behaviours.explore(Math.max(STEP, before));
    result.runs += behaviours.runs - before;
  }

  async #compare(failures, base, now, result) {
    const candidates = [{ behaviours: base, isFewer: false, isOutcome: true }];
    for (const { repeated } of [base, now]) keepMost(this.#repeated, repeated);
    for (const subset of smaller(failures, this.#repeated)) {
      candidates.push(await this.#fewer(failures, subset, result));
    }
    candidates.push(...(await this.#others(failures, base, result)));
    const nothingFails = failures.size === 0;
    for (const run of now.records()) {
      let closest = nearest(run, candidates, nothingFails);
      while (closest !== undefined && (await this.#extendAll(candidates, result))) {
        closest = nearest(run, candidates, nothingFails);
      }
      if (closest === undefined) continue;
      if (candidates.some(({ behaviours }) => !behaviours.isComplete)) {
        result.undecided += 1;
        continue;
      }
      const schedule = await this.#schedule(failures, run);
      return { rule: closest.rule, detail: closest.detail, schedule };
    }
    return null;
  }

  /** Tries more schedules of the original; false where all or enough have been tried. */
  async #extendAll(candidates, result) {
    let isExtended = false;
    for (const { behaviours } of candidates) {
      if (behaviours.isComplete || behaviours.runs > MOST) continue;
      await this.#extend(behaviours, result);
      isExtended = true;
    }
    return isExtended;
  }

  /**
   * Where the first of two occurrences fails and nobody waits for it, the rewrite may have started the other one first:
   * what fails then is that one.
   */
  async #others(failures, base, result) {
    const isFirst = [...failures.values()].some((count) => count > 0 && count !== Infinity);
    if (!isFirst || base.unhandled.size === 0) return [];
    const swap = ([key, count]) => [key, count === Infinity ? count : -count];
    const others = new Map([...failures].map(swap));
    const behaviours = await this.#behaviours(others, false, result);
    return [{ behaviours, isFewer: true, isOutcome: true }];
  }

  async #fewer(failures, subset, result) {
    const dropped = [...failures.keys()].filter((key) => subset.get(key) !== failures.get(key));
    const isOutcome = subset.size > 0 && dropped.every((key) => isInterchangeable(key, subset));
    return { behaviours: await this.#behaviours(subset, false, result), isFewer: true, isOutcome };
  }

  /** The schedule of a run, one line an event. */
  async #schedule(failures, run) {
    const log = [`world ${String(this.seed)}, effects at the ${run.mode}`];
    if (failures.size > 0) log.push(`fails: ${nameOf(failures).replaceAll("\n", ", ")}`);
    const choices = run.choices.slice();
    const isTicking = failures.size === 0;
    const situation = { seed: this.seed, failures, isTicking, mode: run.mode };
    const trace = await execute(this.rewritten, situation, () => choices.shift() ?? 0, log);
    log.push(`main ${trace.main}`);
    return log;
  }
}

/**
 * The difference to the run of the original that comes closest; none where one allows the run.
 */
function nearest(run, candidates, nothingFails) {
  const fewer = candidates.filter(({ isFewer }) => isFewer);
  const wasted = { has: (start) => fewer.some(({ behaviours }) => behaviours.reads.has(start)) };
  const same = candidates.filter(({ isFewer }) => !isFewer);
  const dropped = {
    has: (error) => same.some(({ behaviours }) => behaviours.unhandled.has(error)),
  };
  let closest;
  for (const { behaviours, isFewer: isRelaxed } of candidates.filter((it) => it.isOutcome)) {
    // Where no run has the same outcome, any shows what differs.
    const alike = behaviours.byCore.get(run.core) ?? [...behaviours.records()].slice(0, 1);
    for (const original of alike) {
      const found = difference(run, original, { nothingFails, isRelaxed, wasted, dropped });
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

/** The key of an operation whose occurrence is numbered. */
function keyOf(id) {
  return id.slice(0, id.lastIndexOf(" #"));
}

function allOf(keys) {
  return new Map(keys.map((key) => [key, Infinity]));
}

function nameOf(failures) {
  const shown = ([key, count]) => {
    if (count === Infinity) return key;
    return count > 0
      ? `${key} (first ${String(count)})`
      : `${key} (all but the first ${String(-count)})`;
  };
  return [...failures].map(shown).sort().join("\n");
}

/**
 * All sets that are smaller: without an operation, or with fewer of its occurrences, which are the first, the
 * first two, all but the last, and all but the first; where one or two operations fail, any number from the first, and
 * all but these, up to some.
 */
function smaller(failures, repeated) {
  let found = [[]];
  for (const [key, count] of failures) {
    const times = count === Infinity ? (repeated.get(key) ?? 0) : 0;
    const counts = new Set(times > 0 ? [count, 1, 2, times - 1, -1] : [count]);
    if (failures.size <= 2) {
      for (let first = 2; first < Math.min(times, MOST_FIRST); first += 1) {
        counts.add(first);
        counts.add(-first);
      }
    }
    found = found.flatMap((subset) => [subset, ...[...counts].map((it) => [...subset, [key, it]])]);
  }
  const whole = nameOf(failures);
  return found.map((entries) => new Map(entries)).filter((subset) => nameOf(subset) !== whole);
}
