// What instrumented sources (expressions.mjs) call.
import { builtins, isNative, natives } from "./natives.mjs";
import {
  births,
  describe,
  hold,
  isAccessor,
  isObject,
  keep,
  remember,
  stamp,
  stampMade,
} from "./objects.mjs";
import { back, enter, leave, record, resume, suspend } from "./runtime.mjs";

/**
 * @typedef {import("./runtime.mjs").Activation} Activation
 * @typedef {import("./runtime.mjs").Kind} Kind
 */

/** @type {{ object: any, key: any }} */
let lastRef = { object: undefined, key: undefined };

/** @param {Kind} kind @param {any} object @param {PropertyKey} key */
function touch(kind, object, key) {
  if (!isObject(object) || typeof key === "symbol") return;
  const name =
    typeof key === "string" && /^\d+$/.test(key)
      ? "[…]"
      : typeof key === "number"
        ? "[…]"
        : String(key);
  if (object === process.env) {
    const resource = /^environment$/;
    return record({ kind, key: name, resource, text: "environment" }, 0);
  }
  if (builtins.has(object) || (isNative(object) && !births.has(object))) {
    if (object === globalThis && kind === "w")
      record({ kind, key: name, object, text: `globalThis.${name}` }, 0);
    return;
  }
  const birth = births.get(object);
  // An object of unknown origin: known from now on.
  if (birth === undefined) return stamp(object);
  record({ kind, key: name, object, text: `${describe(object)}.${name}` }, birth);
}

/** @param {Kind} kind @param {any} object */
function touchItems(kind, object) {
  if (!isObject(object)) return;
  if (kind === "w") remember(object);
  if (Array.isArray(object) || object instanceof Map || object instanceof Set)
    touch(kind, object, "[…]");
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
    if (native.key) {
      if (kind === "w" && isObject(args[0])) remember(args[0]);
      touch(kind, args[0], args[1]);
    } else if (index !== "all") touchItems(kind, args[index]);
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

/** What a computed key is converted to, once. @param {any} key @returns {PropertyKey} */
const keyOf = (key) =>
  isObject(key) ? Reflect.ownKeys({ [/** @type {any} */ (key)]: 0 })[0] : key;

export const api = {
  enter,
  leave,
  suspend,
  resume,
  back,
  /** An object is made. @template T @param {T} value @param {string} [line] */
  b(value, line) {
    stamp(value, line);
    return value;
  },
  /** The instance of a class is made. @param {any} value */
  born(value) {
    stamp(value);
    for (
      let made = value?.constructor;
      typeof made === "function";
      made = Object.getPrototypeOf(made)
    ) {
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
  /** @param {any} object @param {PropertyKey} name */
  get(object, name) {
    const key = keyOf(name);
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
    keep(object, name, value);
  },
  /** @param {any} object @param {PropertyKey} name */
  ref(object, name) {
    lastRef = { object, key: keyOf(name) };
    return lastRef;
  },
  last: () => lastRef,
  /** @param {{ object: any, key: any }} ref */
  rget: ({ object, key }) => api.get(object, key),
  /** @template T @param {{ object: any, key: any }} ref @param {T} value */
  put({ object, key }, value) {
    if (isObject(object) && !isAccessor(object, key)) {
      touch("w", object, key);
      remember(object, [key]);
    }
    object[key] = value;
    return value;
  },
  /** @param {{ object: any, key: any }} ref @param {number} by @param {boolean} prefix */
  inc(ref, by, prefix) {
    const old = Number(api.rget(ref));
    api.put(ref, old + by);
    return prefix ? old + by : old;
  },
  /** @param {any} object @param {PropertyKey} name */
  del(object, name) {
    const key = keyOf(name);
    touch("w", object, key);
    if (isObject(object)) remember(object, [key]);
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
      if (activation) suspend(activation, undefined);
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
  /** @param {any} object @param {PropertyKey} name @param {unknown[]} args */
  call(object, name, args) {
    const key = keyOf(name);
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

Reflect.set(globalThis, "__S", api);
