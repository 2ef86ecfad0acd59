import { state, type Task } from "./task.js";

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** What a value has under a name; of primitives too, as the language asks them. */
const of = (value: unknown, name: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown>)[name];

const isMethod = (value: unknown): value is Method => typeof value === "function";
const isObject = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || isMethod(value);

/**
 * What `for await` of compiled code goes over: the same, and each step that is under way leaves `base` behind as the task of
 * what runs next, and nobody after the first. Everything else is left to the loop: what cannot be gone over stays as it is,
 * for the loop to refuse it (ECMA-262, 14.7.5.6).
 */
export function iterate(items: unknown, base: Task): unknown {
  if (items === undefined || items === null) return items;
  let kind: symbol = Symbol.asyncIterator;
  let method = of(items, kind);
  if (method === undefined || method === null) {
    kind = Symbol.iterator;
    method = of(items, kind);
  }
  if (!isMethod(method)) return items;
  const open = method;
  return { [kind]: () => leaving(open.call(items), base) };
}

/** An iterator whose steps leave `base` behind, and nobody after the first. */
function leaving(iterator: unknown, base: Task): unknown {
  if (!isObject(iterator)) return iterator;
  let behind = base;
  const step = (method: unknown): unknown =>
    isMethod(method)
      ? () => {
          try {
            return method.call(iterator);
          } finally {
            state.c = behind;
            behind = state.r;
          }
        }
      : method;
  return {
    get next() {
      return step(of(iterator, "next"));
    },
    get return() {
      return step(of(iterator, "return"));
    },
  };
}
