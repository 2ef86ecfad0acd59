import { state, type Task } from "./task.js";

type Method = (...given: unknown[]) => unknown;

/** What a value has under a name; of primitives too, as the language asks them. */
const of = (value: unknown, name: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown>)[name];

export const isMethod = (value: unknown): value is Method => typeof value === "function";
export const isObject = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || isMethod(value);

/** What runs around a step of an iterator: it calls that. */
type Around = (step: () => unknown) => unknown;

/**
 * The same to go over, each step of it within something. Everything else is left to the language: what cannot be gone over
 * stays as it is, to be refused (ECMA-262, 7.4.3). `ends`: what runs where a loop ends and there is nothing to call; the
 * language waits nonetheless, where it goes over something that is not asynchronous (27.1.6.2.2).
 */
function within(items: unknown, around: Around, ends: () => void): unknown {
  if (items === undefined || items === null) return items;
  let kind: symbol = Symbol.asyncIterator;
  let open = of(items, kind);
  if (open === undefined || open === null) {
    kind = Symbol.iterator;
    open = of(items, kind);
  }
  if (!isMethod(open)) return items;
  const opened = open;
  const made = () => {
    const iterator = Reflect.apply(opened, items, []);
    if (!isObject(iterator)) return iterator;
    const method = (name: string) => {
      const found = of(iterator, name);
      if (isMethod(found)) {
        return (...given: unknown[]) => around(() => Reflect.apply(found, iterator, given));
      }
      if (name === "return" && kind === Symbol.iterator) ends();
      return found;
    };
    return {
      get next() {
        return method("next");
      },
      get return() {
        return method("return");
      },
      get throw() {
        return method("throw");
      },
    };
  };
  return { [kind]: made };
}

/** What `for await` of compiled code goes over. `take` gives the task that runs behind a step which has been started, once. */
export function iterate(items: unknown, take: () => Task): unknown {
  const leave = () => {
    state.c = take();
  };
  const around: Around = (step) => {
    try {
      return step();
    } finally {
      leave();
    }
  };
  return within(items, around, leave);
}

/** What `yield*` of compiled code goes over. `note` is told the task that asks for each step. */
export function delegate(items: unknown, note: (asker: Task) => void): unknown {
  const around: Around = (step) => {
    note(state.c);
    return step();
  };
  return within(items, around, () => undefined);
}
