// What the runtime knows about the objects of a program: since when they are there, and by which
// names they are known.
import { follow } from "./match.mjs";
import { builtins, isNative } from "./natives.mjs";

let clock = 0;
/** The next moment. */
export const tick = () => ++clock;

/** @type {WeakMap<object, number>} */
export const births = new WeakMap();
/** What properties held before, and what private ones hold. @type {WeakMap<object, Map<string, Set<unknown>>>} */
const past = new WeakMap();
/** Objects by the names of variables that held them, by class (`C#`) and by line. @type {Map<string, Set<unknown>>} */
export let named = new Map();
/** @param {unknown} value @returns {value is object} */
export const isObject = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function";
/** @param {object} object @param {string} key */
export const hidden = (object, key) => past.get(object)?.get(key) ?? [];

/** @param {object} object @param {string} key @param {unknown} value */
export function keep(object, key, value) {
  let known = past.get(object);
  if (!known) past.set(object, (known = new Map()));
  let values = known.get(key);
  if (!values) known.set(key, (values = new Set()));
  values.add(value);
}

/** What an object holds is about to change. @param {object} object @param {PropertyKey[]} [keys] All by default. */
export function remember(object, keys) {
  const found =
    keys?.flatMap((key) => follow(object, String(key), () => [])) ??
    follow(object, "[…]", () => []);
  for (const [index, value] of found.entries()) {
    if (!isObject(value)) continue;
    keep(object, "[…]", value);
    if (keys) keep(object, String(keys[index]), value);
  }
}

/** @param {string} name @param {unknown} value */
export function hold(name, value) {
  let set = named.get(name);
  if (!set) named.set(name, (set = new Set()));
  set.add(value);
}

/** @param {unknown} value @param {string} [line] */
export function stamp(value, line) {
  if (!isObject(value)) return;
  if (!births.has(value)) births.set(value, tick());
  if (line) hold(line, value);
  const prototype = typeof value === "function" && !isNative(value) ? value.prototype : null;
  if (isObject(prototype) && !births.has(prototype)) births.set(prototype, tick());
}

/** What a native made, and what is in it. @param {any} value */
export function stampMade(value) {
  if (!isObject(value) || builtins.has(value) || births.has(value)) return;
  stamp(value);
  if (Array.isArray(value)) for (const item of value.slice(0, 1000)) stampMade(item);
}

/** @param {any} object */
export function describe(object) {
  const names = [];
  for (const [name, set] of named) if (set.has(object)) names.push(name);
  return `<${names.slice(0, 4).join("|")}>`;
}

/** Whether a property is one with a getter or a setter. @param {any} object @param {PropertyKey} key */
export function isAccessor(object, key) {
  for (let holder = Object(object); holder; holder = Object.getPrototypeOf(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property) return !("value" in property);
  }
  return false;
}

/** A program starts: no object has a name. */
export function forget() {
  named = new Map();
}
