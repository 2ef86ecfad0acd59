// Follows which activation of which function
// runs, and judges each read and write by what was computed for all functions under way.
import { natives } from "./natives.mjs";
import { births, forget, hidden, isObject, named, stampMade, tick } from "./objects.mjs";
import { follow, parseLocation, reaches, stepMatches } from "./match.mjs";

/**
 * @typedef {import("./transform.mjs").Fun} Fun
 * @typedef {import("./match.mjs").Computed} Computed
 * @typedef {import("./match.mjs").Location} Location
 * @typedef {{ fn: number, start: number, self: unknown, args: unknown[], prev: Activation | null,
 *   cause: Activation | null, away: boolean, suspended: boolean, paths: Map<string, unknown[]> }} Activation
 * @typedef {"r" | "w"} Kind
 * @typedef {{ kind: Kind, key: string, object?: any, variable?: string, resource?: RegExp, text: string }} Access
 * @typedef {(fn: number, phase: string, access: Access) => void} Listener
 * @typedef {{ fn: number, kind: Kind, phase: "before" | "after", access: string }} Miss
 * @typedef {Record<"before" | "after", Record<Kind, Location[]>>} Judge
 */

/** @type {Activation | null} */
let current = null;
/** What registered the callback that runs. @type {Activation | null} */
let cause = null;

/** @type {(Judge | null | undefined)[]} */
let judges = [];
/** @type {Fun[]} */
let functions = [];
/** @type {Map<string, Miss>} */
let misses = new Map();
export const counts = { entered: 0, accesses: 0, judged: 0 };
/** Told of each access that counts, for tests. @type {Listener | null} */
let listener = null;

/** The objects that a root may be. @param {string} root @param {Activation} activation @returns {unknown[]} */
function rootObjects(root, activation) {
  if (root === "this") return [activation.self];
  if (root === "globalThis") return [globalThis];
  if (root.startsWith("{…}")) {
    const [, file, line] = /** @type {RegExpExecArray} */ (/^\{…\} ?(.*):(\d+)$/.exec(root));
    const own = functions[activation.fn].file;
    const found = [];
    for (const [name, set] of named) {
      const at = /^(.*):(\d+)$/.exec(name);
      if (at?.[2] === line && (file ? at[1].endsWith(file) : at[1] === own)) found.push(...set);
    }
    return found;
  }
  const index = functions[activation.fn].params.indexOf(root);
  const known = [...(named.get(root) ?? [])];
  return index < 0 ? known : [activation.args[index], ...known];
}

/** @param {Location} location @param {Activation} activation */
function holders(location, activation) {
  let objects = rootObjects(location.root, activation);
  for (const step of location.steps.slice(0, -1)) {
    objects = [...new Set(objects.flatMap((object) => follow(object, step, hidden)))];
  }
  return objects;
}

/** @param {Location} location @param {Access} access @param {Activation} activation */
function matches(location, access, activation) {
  const { root, steps, text } = location;
  if (access.resource) return access.resource.test(text);
  if (access.variable) return steps.length === 0 && root === access.variable;
  if (steps.length === 0 || !stepMatches(/** @type {string} */ (steps.at(-1)), access.key))
    return false;
  if (root === "?" || root === "exports") return true;
  const objects = holders(location, activation);
  const atEntry = activation.paths.get(text) ?? [];
  if (steps.at(-1) === "…") return reaches([...objects, ...atEntry], access.object, hidden);
  return objects.includes(access.object) || atEntry.includes(access.object);
}

/** @param {Activation} activation @param {Access} access @param {boolean} later */
function judge(activation, access, later) {
  const judgement = judges[activation.fn];
  const phase = later || activation.suspended ? "after" : "before";
  listener?.(activation.fn, phase, access);
  if (!judgement) return;
  counts.judged++;
  const key = `${activation.fn} ${phase} ${access.kind} ${access.text}`;
  if (misses.has(key)) return;
  const { before, after } = judgement;
  const sets = phase === "before" ? [before] : [before, after];
  for (const set of sets) {
    const lists = access.kind === "r" ? [set.r, set.w] : [set.w];
    // What a resource's write reads is not listed.
    for (const list of access.resource ? lists : [set[access.kind]]) {
      for (const location of list) if (matches(location, access, activation)) return;
    }
  }
  misses.set(key, { fn: activation.fn, kind: access.kind, phase, access: access.text });
}

/** @param {Access} access @param {number} birth Since when what is accessed is there. */
export function record(access, birth) {
  if (current === null && cause === null) return;
  let later = current === null;
  const seen = new Set();
  for (let active = current ?? cause; active && !seen.has(active);) {
    seen.add(active);
    if (birth < active.start) {
      counts.accesses++;
      judge(active, access, later);
    }
    if (!active.prev) later = true;
    active = active.prev ?? active.cause;
  }
}

/** A function starts. @param {number} fn @param {unknown} self @param {Function | undefined} target @param {unknown[]} args */
export function enter(fn, self, target, args) {
  counts.entered++;
  /** @type {Activation} */
  const activation = {
    fn,
    start: tick(),
    self,
    args,
    prev: current,
    cause: current ?? cause,
    away: false,
    suspended: false,
    paths: new Map(),
  };
  if (target && isObject(self)) births.set(self, activation.start);
  current = activation;
  const judgement = judges[fn];
  if (judgement) {
    for (const phase of [judgement.before, judgement.after]) {
      for (const location of [...phase.r, ...phase.w]) {
        const { root, steps, text } = location;
        if (steps.length > 1 && root !== "?")
          activation.paths.set(text, holders(location, activation));
      }
    }
  }
  return activation;
}

/** A function ends. @param {Activation} activation */
export function leave(activation) {
  if (!activation.away) current = activation.prev;
}

/** @template T @param {Activation} activation @param {T} value */
export function suspend(activation, value) {
  current = activation.prev;
  activation.prev = null;
  activation.away = true;
  activation.suspended = true;
  return value;
}

/** @template T @param {Activation} activation @param {T} value */
export function resume(activation, value) {
  back(activation);
  stampMade(value);
  return value;
}

/** Control is back in a function, after an exception or a suspension. @param {Activation} activation */
export function back(activation) {
  if (activation.away) activation.prev = current;
  activation.away = false;
  current = activation;
}

/** A callback that runs later, on account of what runs now. @param {unknown} callback */
function deferred(callback) {
  if (typeof callback !== "function" || (current === null && cause === null)) return callback;
  const by = current ?? cause;
  /** @this {unknown} @param {unknown[]} args */
  return function (...args) {
    const [before, active] = [cause, current];
    cause = by;
    current = null;
    try {
      return Reflect.apply(callback, this, args);
    } finally {
      cause = before;
      current = active;
    }
  };
}

/** Makes the functions that take callbacks for later say on whose account these run. */
export function install() {
  const { then } = Promise.prototype;
  /** @type {any} */ (Promise.prototype).then = function (
    /** @type {any} */ a,
    /** @type {any} */ b,
  ) {
    return then.call(this, /** @type {any} */ (deferred(a)), /** @type {any} */ (deferred(b)));
  };
  natives.set(Promise.prototype.then, {});
  for (const [holder, name] of /** @type {[any, string][]} */ ([
    [globalThis, "setTimeout"],
    [globalThis, "setImmediate"],
    [globalThis, "setInterval"],
    [globalThis, "queueMicrotask"],
    [process, "nextTick"],
  ])) {
    const original = holder[name];
    const replaced = (/** @type {any} */ callback, /** @type {any[]} */ ...rest) =>
      original.call(holder, deferred(callback), ...rest);
    natives.set(replaced, natives.get(original) ?? {});
    holder[name] = replaced;
  }
}

/** @param {Computed["before"] | null} sets @returns {Record<Kind, Location[]>} */
const parsed = (sets) => ({
  r: (sets?.reads ?? []).map(parseLocation),
  w: (sets?.writes ?? []).map(parseLocation),
});

/**
 * A program starts: what was computed for its functions; null for those that may do anything.
 *
 * @param {Fun[]} funs
 * @param {(Computed | undefined)[]} computed
 * @param {Listener | null} [listen]
 */
export function begin(funs, computed, listen = null) {
  functions = funs;
  listener = listen;
  forget();
  misses = new Map();
  current = null;
  cause = null;
  judges = computed.map((c) =>
    !c || c.unknown.length > 0 ? null : { before: parsed(c.before), after: parsed(c.after) },
  );
}

/** What the program did that was not computed. @returns {Miss[]} */
export const end = () => [...misses.values()];
