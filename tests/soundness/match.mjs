// Whether what was recorded is among the locations that were computed.

/**
 * @typedef {{ text: string, root: string, steps: string[] }} Location
 * @typedef {{ reads: string[], writes: string[] }} Sets
 * @typedef {{ name: string, file: string, before: Sets, after: Sets | null, unknown: unknown[],
 *   range: { start: { line: number, column: number }, end: { line: number, column: number } } }} Computed
 */

const ROOT =
  /^(\?|\{…\}(?: [^:]*)?:\d+|(?:[^\s.[\]]*[\w/-]\.[cm]?[jt]sx?:)?(?:\(parameter \d+\)|[^.[\]#]+)#?)/;

/** @param {string} text @returns {Location} */
export function parseLocation(text) {
  // A path before a `:` may have points in it.
  const file = /^([^\s:[\]{}]*\.[cm]?[jt]sx?):(?=[^\d])/.exec(text)?.[1] ?? "";
  const rest = file ? text.slice(file.length + 1) : text;
  const root = ROOT.exec(rest)?.[0] ?? rest;
  const steps = [];
  const part = /\[…\]|\.…|\.?#?[^.[\]]+/gy;
  part.lastIndex = root.length;
  for (let found; (found = part.exec(rest));) steps.push(found[0].replace(/^\.?#?(?=.)/, ""));
  return { text, root, steps };
}

/** @param {string} step @param {string} key */
export function stepMatches(step, key) {
  if (key === "*" || step === "…" || step === "[…]") return true;
  return step === key || (/^\d+$/.test(key) && step === "[…]");
}

/**
 * What a step leads to from an object: all that it may be.
 *
 * @param {any} object
 * @param {string} step
 * @param {(object: object, key: string) => Iterable<unknown>} hidden What cannot be seen from outside.
 * @returns {unknown[]}
 */
export function follow(object, step, hidden) {
  if (object === null || (typeof object !== "object" && typeof object !== "function")) return [];
  if (step !== "[…]") {
    return [valueOf(object, step), ...hidden(object, step)].filter((v) => v !== undefined);
  }
  const found = [...hidden(object, step)];
  if (object instanceof Map) for (const [key, value] of object) found.push(key, value);
  else if (object instanceof Set) found.push(...object);
  for (const name of Reflect.ownKeys(object)) found.push(valueOf(object, name));
  return found;
}

/** The value of a property that is no getter. @param {any} object @param {PropertyKey} name */
function valueOf(object, name) {
  for (let holder = object; holder; holder = Object.getPrototypeOf(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, name);
    if (property) return property.value;
  }
  return undefined;
}

/**
 * Whether an object can be reached from another one.
 *
 * @param {unknown[]} from
 * @param {object} to
 * @param {(object: object, key: string) => Iterable<unknown>} hidden
 */
export function reaches(from, to, hidden) {
  const seen = new Set(from);
  for (const object of seen) {
    if (object === to) return true;
    if (seen.size > 5000) return true;
    for (const next of follow(object, "[…]", hidden)) {
      if (next !== null && typeof next === "object") seen.add(next);
    }
  }
  return false;
}
