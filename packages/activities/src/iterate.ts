import { state, type Task } from "./task.js";

type Method = (this: unknown, value?: unknown) => unknown;

/** An iterator, asynchronous or not, as the language takes it: any object with these. */
interface Iterating {
  readonly next: Method;
  readonly return?: Method | null;
}

interface Items {
  readonly [Symbol.asyncIterator]?: ((this: unknown) => Iterating) | null;
  readonly [Symbol.iterator]: (this: unknown) => Iterating;
}

/**
 * What `for await` of compiled code goes over: the same, and each step that is under way leaves `base` behind as the task of
 * what runs next, and nobody after the first.
 */
export function iterate(given: unknown, base: Task): unknown {
  const items = given as Items;
  const open = items[Symbol.asyncIterator];
  return {
    [Symbol.asyncIterator]() {
      const isSync = open === undefined || open === null;
      const iterator = isSync ? fromSync(items[Symbol.iterator]()) : open.call(items);
      const { next } = iterator;
      let behind = base;
      const leaving = (method: Method, value?: unknown): unknown => {
        try {
          return method.call(iterator, value);
        } finally {
          state.c = behind;
          behind = state.r;
        }
      };
      return {
        next: () => leaving(next),
        get return() {
          const end = iterator.return;
          if (end === undefined || end === null) return undefined;
          return (value: unknown) => leaving(end, value);
        },
      };
    },
  };
}

/** As the language makes an asynchronous iterator of another (ECMA-262, 27.1.6). */
function fromSync(iterator: Iterating): Iterating {
  const { next } = iterator;
  return {
    next: () => settled(() => next.call(iterator)),
    return: (value) => {
      const end = iterator.return;
      return end === undefined || end === null
        ? Promise.resolve({ value, done: true })
        : settled(() => end.call(iterator, value));
    },
  };
}

/** A step whose value has been waited for; what is thrown becomes a rejection. */
function settled(take: () => unknown): Promise<unknown> {
  try {
    const { value, done } = take() as { value: unknown; done?: unknown };
    return Promise.resolve(value).then((it) => ({ value: it, done: Boolean(done) }));
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the iterator threw
    return Promise.reject(error);
  }
}
