import { state, type Task } from "./task.js";

type Method = (...given: unknown[]) => unknown;

/** What a value has under a name; of primitives too, as the language asks them. */
const of = (value: unknown, name: PropertyKey): unknown =>
  (value as Record<PropertyKey, unknown>)[name];

export const isMethod = (value: unknown): value is Method => typeof value === "function";
export const isObject = (value: unknown): boolean =>
  (typeof value === "object" && value !== null) || isMethod(value);

/** What runs around the steps of an iterator. */
interface Around {
  /** In front of each. */
  asks: () => void;
  /** Behind each. */
  leaves: () => void;
}

/** An iterator, each step of which has something around it. A class, since objects with getters of their own are slow. */
class Steps {
  constructor(
    readonly iterator: unknown,
    readonly around: Around,
    readonly isSync: boolean,
  ) {}

  get next(): unknown {
    return step(this, "next");
  }

  get return(): unknown {
    return step(this, "return");
  }

  get throw(): unknown {
    return step(this, "throw");
  }
}

function step({ iterator, around, isSync }: Steps, name: string): unknown {
  const method = of(iterator, name);
  if (isMethod(method)) {
    return (...given: unknown[]) => {
      around.asks();
      try {
        return Reflect.apply(method, iterator, given);
      } finally {
        around.leaves();
      }
    };
  }
  // Where a loop ends and there is nothing to call, the language waits nonetheless, if that is not asynchronous
  // (ECMA-262, 27.1.6.2.2).
  if (name === "return" && isSync) around.leaves();
  return method;
}

/** What can be gone over, by steps that have something around them. */
class Items {
  constructor(
    readonly items: unknown,
    readonly open: Method,
    readonly around: Around,
  ) {}

  opened(isSync: boolean): unknown {
    const iterator = Reflect.apply(this.open, this.items, []);
    return isObject(iterator) ? new Steps(iterator, this.around, isSync) : iterator;
  }
}

class AsyncItems extends Items {
  [Symbol.asyncIterator](): unknown {
    return this.opened(false);
  }
}

class SyncItems extends Items {
  [Symbol.iterator](): unknown {
    return this.opened(true);
  }
}

/**
 * The same to go over, each step of it within something. Everything else is left to the language: what cannot be gone over
 * stays as it is, to be refused (ECMA-262, 7.4.3).
 */
function within(items: unknown, around: Around): unknown {
  if (items === undefined || items === null) return items;
  const open = of(items, Symbol.asyncIterator);
  if (isMethod(open)) return new AsyncItems(items, open, around);
  if (open !== undefined && open !== null) return items;
  const openSync = of(items, Symbol.iterator);
  return isMethod(openSync) ? new SyncItems(items, openSync, around) : items;
}

const nothing = () => undefined;

/** What `for await` of compiled code goes over. `take` gives the task that runs behind a step which has been started, once. */
export function iterate(items: unknown, take: () => Task): unknown {
  const leaves = () => {
    state.c = take();
  };
  return within(items, { asks: nothing, leaves });
}

/** What `yield*` of compiled code goes over. `note` is told the task that asks for each step. */
export function delegate(items: unknown, note: (asker: Task) => void): unknown {
  const asks = () => {
    note(state.c);
  };
  return within(items, { asks, leaves: nothing });
}
