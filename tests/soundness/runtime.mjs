// What instrumented sources (expressions.mjs) call: it follows which activation of which function
// runs, and judges each read and write by what was computed for all functions under way.
import { builtins, isNative, natives } from "./natives.mjs";
import { follow, parseLocation, reaches, stepMatches } from "./match.mjs";

/**
 * @typedef {import("./transform.mjs").Fun} Fun
 * @typedef {import("./match.mjs").Computed} Computed
 * @typedef {import("./match.mjs").Location} Location
 * @typedef {{ fn: number, start: number, self: unknown, args: unknown[], prev: Activation | null,
 *   cause: Activation | null, away: boolean, suspended: boolean, paths: Map<string, unknown[]> }} Activation
 * @typedef {"r" | "w"} Kind
 * @typedef {{ kind: Kind, key: string, object?: any, variable?: string, resource?: RegExp, text: string }} Access
 * @typedef {{ fn: number, kind: Kind, phase: "before" | "after", access: string }} Miss
 * @typedef {Record<"before" | "after", Record<Kind, Location[]>>} Judge
 */

/** @type {Activation | null} */
let current = null;
/** What registered the callback that runs. @type {Activation | null} */
let cause = null;
let clock = 0;
/** @type {{ object: any, key: any }} */
let lastRef = { object: undefined, key: undefined };

/** @type {WeakMap<object, number>} */
const births = new WeakMap();
/** @type {WeakMap<object, Map<string, unknown>>} */
const secrets = new WeakMap();
/** Objects by the names of variables that held them, by class (`C#`) and by line. @type {Map<string, Set<unknown>>} */
let named = new Map();
/** @type {(Judge | null | undefined)[]} */
let judges = [];
/** @type {Fun[]} */
let functions = [];
/** @type {Map<string, Miss>} */
let misses = new Map();
export const counts = { entered: 0, accesses: 0, judged: 0 };
/** Told of each access that counts, for tests. @type {((fn: number, phase: string, access: Access) => void) | null} */
let listener = null;

/** @param {unknown} value @returns {value is object} */
const isObject = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function";
const hidden = (/** @type {object} */ object, /** @type {string} */ key) =>
  secrets.get(object)?.get(key);

/** @param {string} name @param {unknown} value */
function hold(name, value) {
  let set = named.get(name);
  if (!set) named.set(name, (set = new Set()));
  set.add(value);
}

/** @param {unknown} value @param {string} [line] */
function stamp(value, line) {
  if (!isObject(value)) return;
  if (!births.has(value)) births.set(value, ++clock);
  if (line) hold(line, value);
  const prototype = typeof value === "function" && !isNative(value) ? value.prototype : null;
  if (isObject(prototype) && !births.has(prototype)) births.set(prototype, ++clock);
}

/** What a native made, and what is in it. @param {any} value */
function stampMade(value) {
  if (!isObject(value) || builtins.has(value) || births.has(value)) return;
  stamp(value);
  if (Array.isArray(value)) for (const item of value.slice(0, 1000)) stampMade(item);
}

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
  if (steps.length === 0 || !stepMatches(/** @type {string} */ (steps.at(-1)), access.key)) return false;
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
function record(access, birth) {
  if (current === null && cause === null) return;
  let later = current === null;
  const seen = new Set();
  for (let active = current ?? cause; active && !seen.has(active); ) {
    seen.add(active);
    if (birth < active.start) {
      counts.accesses++;
      judge(active, access, later);
    }
    if (!active.prev) later = true;
    active = active.prev ?? active.cause;
  }
}

/** @param {Kind} kind @param {any} object @param {PropertyKey} key */
function touch(kind, object, key) {
  if (!isObject(object) || typeof key === "symbol") return;
  const name = typeof key === "string" && /^\d+$/.test(key) ? "[…]" : typeof key === "number" ? "[…]" : String(key);
  if (object === process.env) {
    const resource = /^environment$/;
    return record({ kind, key: name, resource, text: "environment" }, 0);
  }
  if (builtins.has(object) || (isNative(object) && !births.has(object))) {
    if (object === globalThis && kind === "w") record({ kind, key: name, object, text: `globalThis.${name}` }, 0);
    return;
  }
  const birth = births.get(object);
  // An object of unknown origin: known from now on.
  if (birth === undefined) return stamp(object);
  record({ kind, key: name, object, text: `${describe(object)}.${name}` }, birth);
}

/** @param {any} object */
function describe(object) {
  const names = [];
  for (const [name, set] of named) if (set.has(object)) names.push(name);
  return `<${names.slice(0, 4).join("|")}>`;
}

/** Whether a property is one with a getter or a setter. @param {any} object @param {PropertyKey} key */
function isAccessor(object, key) {
  for (let holder = Object(object); holder; holder = Object.getPrototypeOf(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property) return !("value" in property);
  }
  return false;
}

/** @param {Kind} kind @param {any} object */
function touchItems(kind, object) {
  if (!isObject(object)) return;
  if (Array.isArray(object) || object instanceof Map || object instanceof Set) touch(kind, object, "[…]");
  else if (object instanceof WeakMap || object instanceof WeakSet) touch(kind, object, "[…]");
  else if (!(Symbol.iterator in object) && Object.keys(object).length > 0) touch(kind, object, "*");
}

/** @param {Function} f @param {unknown} self @param {any[]} args @returns {void} */
function callNative(f, self, args) {
  if (typeof self === "function" && isNative(self)) {
    if (f === Function.prototype.call) return callNative(self, args[0], args.slice(1));
    if (f === Function.prototype.apply) return callNative(self, args[0], [...(args[1] ?? [])]);
  }
  const native = natives.get(f);
  if (!native) return;
  const { resource } = native;
  if (resource) record({ kind: resource[0], key: "", resource: resource[1], text: resource[2] }, 0);
  if (native.self) touchItems(native.self, self);
  for (const [kind, index] of native.args ?? []) {
    if (native.key) touch(kind, args[0], args[1]);
    else if (index !== "all") touchItems(kind, args[index]);
    else for (const arg of args.slice(f === Object.assign ? 1 : 0)) touchItems(kind, arg);
  }
}

/** @param {any} value @param {any} shape */
function destructure(value, shape) {
  if (!shape || !isObject(value)) return;
  for (const [key, inside] of /** @type {[any, any][]} */ (shape)) {
    if (key === "*") touchItems("r", value);
    else if (key === "[…]") touchItems("r", value);
    else if (typeof key === "number") {
      if (inside && Array.isArray(value)) destructure(value[key], inside);
    } else if (!isAccessor(value, key)) {
      touch("r", value, key);
      if (inside) destructure(/** @type {any} */ (value)[key], inside);
    }
  }
}

export const api = {
  /** A function starts. @param {number} fn @param {unknown} self @param {Function | undefined} target @param {unknown[]} args */
  enter(fn, self, target, args) {
    counts.entered++;
    /** @type {Activation} */
    const activation = {
      fn,
      start: ++clock,
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
          if (steps.length > 1 && root !== "?") activation.paths.set(text, holders(location, activation));
        }
      }
    }
    return activation;
  },
  /** A function ends. @param {Activation} activation */
  leave(activation) {
    if (!activation.away) current = activation.prev;
  },
  /** @template T @param {Activation} activation @param {T} value */
  suspend(activation, value) {
    current = activation.prev;
    activation.prev = null;
    activation.away = true;
    activation.suspended = true;
    return value;
  },
  /** @template T @param {Activation} activation @param {T} value */
  resume(activation, value) {
    api.back(activation);
    stampMade(value);
    return value;
  },
  /** Control is back in a function, after an exception or a suspension. @param {Activation} activation */
  back(activation) {
    if (activation.away) activation.prev = current;
    activation.away = false;
    current = activation;
  },
  /** An object is made. @template T @param {T} value @param {string} [line] */
  b(value, line) {
    stamp(value, line);
    return value;
  },
  /** The instance of a class is made. @param {any} value */
  born(value) {
    stamp(value);
    for (let made = value?.constructor; typeof made === "function"; made = Object.getPrototypeOf(made)) {
      if (made.name) hold(`${made.name}#`, value);
    }
    return value;
  },
  /** @param {Function} made @param {string} name @param {string} line */
  bornClass(made, name, line) {
    stamp(made, line);
    hold(name || made.name, made);
  },
  /** A variable holds a value. @template T @param {string} name @param {T} value */
  nm(name, value) {
    if (isObject(value)) hold(name, value);
    return value;
  },
  /** What a pattern took out: a rest is new. @template T @param {T} value */
  fresh(value) {
    if (isObject(value) && !births.has(value) && !isNative(value)) stamp(value);
    return value;
  },
  /** @param {any} object @param {PropertyKey} key */
  get(object, key) {
    if (isObject(object) && !isAccessor(object, key)) touch("r", object, key);
    return object[key];
  },
  /** @param {any} object @param {() => PropertyKey} key */
  getOptional(object, key) {
    return object === null || object === undefined ? undefined : api.get(object, key());
  },
  /** @template T @param {object} object @param {string} name @param {T} value */
  pget(object, name, value) {
    if (isObject(value)) api.secret(object, name, value);
    touch("r", object, name);
    return value;
  },
  /** @template T @param {object} object @param {string} name @param {T} value */
  pput(object, name, value) {
    if (isObject(value)) api.secret(object, name, value);
    touch("w", object, name);
    return value;
  },
  /** @param {object} object @param {string} name @param {unknown} value */
  secret(object, name, value) {
    let known = secrets.get(object);
    if (!known) secrets.set(object, (known = new Map()));
    known.set(name, value);
  },
  /** @param {any} object @param {PropertyKey} key */
  ref(object, key) {
    lastRef = { object, key };
    return lastRef;
  },
  last: () => lastRef,
  /** @param {{ object: any, key: any }} ref */
  rget: ({ object, key }) => api.get(object, key),
  /** @template T @param {{ object: any, key: any }} ref @param {T} value */
  put({ object, key }, value) {
    if (isObject(object) && !isAccessor(object, key)) touch("w", object, key);
    object[key] = value;
    return value;
  },
  /** @param {{ object: any, key: any }} ref @param {number} by @param {boolean} prefix */
  inc(ref, by, prefix) {
    const old = Number(api.rget(ref));
    api.put(ref, old + by);
    return prefix ? old + by : old;
  },
  /** @param {any} object @param {PropertyKey} key */
  del(object, key) {
    touch("w", object, key);
    return delete object[key];
  },
  /** A variable is read or written. @param {Kind} kind @param {Activation | 0} owner @param {string} name */
  v(kind, owner, name) {
    record({ kind, key: "", variable: name, text: name }, owner === 0 ? 0 : owner.start);
  },
  /** @template T @param {Activation | 0} owner @param {string} name @param {T} value */
  vw(owner, name, value) {
    api.v("w", owner, name);
    return value;
  },
  /** What is iterated. @template T @param {T} value */
  items(value) {
    touchItems("r", value);
    return value;
  },
  /** All properties are read. @template T @param {T} value */
  all(value) {
    if (isObject(value) && Object.keys(value).length > 0) touch("r", value, "*");
    return value;
  },
  /** @template T @param {T} value */
  keys: (value) => api.all(value),
  /** What `for await` iterates. @param {Activation | undefined} activation @param {any} value */
  async *later(activation, value) {
    const iterator = value[Symbol.asyncIterator]?.() ?? value[Symbol.iterator]();
    for (;;) {
      const next = iterator.next();
      if (activation) api.suspend(activation, undefined);
      const { done, value: item } = await next;
      if (done) return;
      yield await item;
    }
  },
  /** @template T @param {T} value @param {any} shape */
  destr(value, shape) {
    destructure(value, shape);
    return value;
  },
  /** @param {any} object @param {PropertyKey} key @param {unknown[]} args */
  call(object, key, args) {
    const f = isObject(object) ? /** @type {any} */ (object)[key] : undefined;
    if (!isNative(f)) return object[key](...args);
    callNative(f, object, args);
    const made = Reflect.apply(f, object, args);
    stampMade(made);
    return made;
  },
  /** @param {any} f @param {unknown[]} args */
  fcall(f, args) {
    if (!isNative(f)) return f(...args);
    callNative(f, undefined, args);
    const made = f(...args);
    stampMade(made);
    return made;
  },
  /** @param {any} made @param {unknown[]} args @param {string} line */
  nw(made, args, line) {
    if (made === Date && args.length === 0) callNative(Date.now, Date, []);
    else if (isNative(made)) callNative(made, undefined, args);
    const object = new made(...args);
    if (!births.has(object)) stamp(object);
    hold(line, object);
    return object;
  },
};

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
  Reflect.set(globalThis, "__S", api);
  const { then } = Promise.prototype;
  /** @type {any} */ (Promise.prototype).then = function (/** @type {any} */ a, /** @type {any} */ b) {
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
 * @param {typeof listener} [listen]
 */
export function begin(funs, computed, listen = null) {
  functions = funs;
  listener = listen;
  named = new Map();
  misses = new Map();
  current = null;
  cause = null;
  judges = computed.map((c) =>
    !c || c.unknown.length > 0 ? null : { before: parsed(c.before), after: parsed(c.after) },
  );
}

/** What the program did that was not computed. @returns {Miss[]} */
export const end = () => [...misses.values()];
