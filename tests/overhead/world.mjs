// The world that generated functions run in, and what can be seen of a run.

/** What an operation may do. */
export const BEHAVIOURS = [
  "value",
  "promise",
  "later",
  "thenable",
  "reject",
  "throw",
  "callable",
  "subclass",
  "broken",
  "own",
  "getter",
  "constructor",
  "proxy",
  "odd",
];

class OwnPromise extends Promise {}

/** What a run may do, and how much more for each time that a function calls itself. */
const STEPS = 60;
const STEPS_DEEPER = 20;

/**
 * The text of a function is not kept, and random programs make strings of everything. What the engine has
 * brought with it says so still.
 */
const { toString } = Function.prototype;
Function.prototype.toString = function () {
  const text = toString.call(this);
  return text.includes("[native code]") ? text : "function";
};

/** The longest text that a log keeps whole. */
const SHOWN = 200;
/** A run that makes a text longer than this ends. */
const LONGEST = 1 << 24;
/** How much of the start and of the end of a longer one counts. */
const COMPARED = 65_536;

/**
 * A text as a log keeps it. Values that double with each call would make logs that no memory holds: of a
 * long text, its length and a hash (FNV-1a) tell whether it is another.
 */
export function cut(text) {
  if (text.length <= SHOWN) return text;
  const ends =
    text.length <= 2 * COMPARED ? [text] : [text.slice(0, COMPARED), text.slice(-COMPARED)];
  let hash = 0x811c9dc5;
  for (const part of ends) {
    for (let at = 0; at < part.length; at++) {
      hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193);
    }
  }
  return `${text.slice(0, SHOWN / 2)}… (${String(text.length)} characters, hash ${String(hash >>> 0)})`;
}

/** How many ticks are counted beside a call, at most. */
const TICKS = 400;

/** The name that a function got where it was made. */
function nameOf(value) {
  const name = Object.getOwnPropertyDescriptor(value, "name")?.value;
  return typeof name === "string" ? name : "";
}

/** What can be seen of an object must not end the comparison: some cannot even be asked for a `then`. */
function isThenable(value) {
  try {
    return typeof value.then === "function";
  } catch {
    return true;
  }
}

/**
 * Runs `main` with the behaviours given; resolves to all that could be seen, and whether it was ended since
 * its texts double with each call. `ticks`: two calls run side
 * by side, and a chain of promises counts the ticks beside them. `depth`: how often functions call
 * themselves, at most. `names`: what functions are named counts. `primitives`: texts and numbers have a
 * `then`, which nothing in the language looks at.
 */
export async function observe(main, behaviours, { primitives = false, ...options } = {}) {
  const prototypes = primitives ? [String.prototype, Number.prototype] : [];
  for (const it of prototypes) it.then = (resolve) => resolve("then of a primitive value");
  try {
    return await observed(main, behaviours, options);
  } finally {
    for (const it of prototypes) delete it.then;
  }
}

const ENGINE_TEXT =
  /^.*(?=is not (?:a function|a constructor|(?:async )?iterable)|as it is (?:undefined|null))/s;
/** What it says of what cannot be called or iterated over: which of that, depends on the form of the code. */
const SPREAD_TEXT =
  /Function\.prototype\.apply was called on .*?, which is an? \w+ and not a function/s;
const UNFIT_TEXT =
  /is not (?:a function|(?:async )?iterable)(?: \(cannot read property Symbol\(Symbol\.\w+\)\))?/g;

/** A text without what the engine says of the program's text. */
const unnamed = (text) =>
  text
    .replace(SPREAD_TEXT, "is not a function")
    .replace(ENGINE_TEXT, "")
    .replace(UNFIT_TEXT, "is unfit");

async function observed(main, behaviours, { ticks = false, depth = 2, names = true }) {
  const log = [];
  const kept = [];
  const templates = [];
  let steps = STEPS + STEPS_DEEPER * depth;
  let visits = 0;
  let again = depth;
  let isEndless = false;
  const show = (value) => cut(textOf(value));
  const textOf = (value) => {
    if (typeof value === "function") return names ? `function ${nameOf(value)}` : "function";
    // What the engine says names parts of the text.
    if (value instanceof TypeError) return value.name;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (typeof value === "object" && value !== null) {
      return isThenable(value) ? "thenable" : JSON.stringify(value);
    }
    // The same, where that has become part of a string.
    return unnamed(String(value));
  };
  /** Takes a step. None is left where a text has become too long: each that it takes part in takes seconds. */
  const step = (what, ...values) => {
    const isLong = (value) => typeof value === "string" && value.length > LONGEST;
    isEndless ||= [self.k, $.obj.field, ...values].some(isLong);
    if (isEndless || --steps < 0) throw new RangeError(what);
  };
  const note = (...parts) => {
    step("too many steps", ...parts);
    log.push(parts.map(show).join(" "));
  };
  /** What an operation gives: a value, or what resolves to it or fails. */
  const given = (id, value) => {
    switch (behaviours[id]) {
      case "promise":
        return Promise.resolve(value);
      case "later":
        return Promise.resolve().then(() => Promise.resolve(value));
      case "thenable":
        return countedThenable(value, note);
      case "reject":
        return rejected(new Error(`rejected ${id}`));
      case "throw":
        throw new Error(`thrown ${id}`);
      case "callable":
        return Object.assign(() => undefined, { then: (resolve) => resolve(value) });
      case "subclass":
        return OwnPromise.resolve(value);
      case "own":
        return Object.assign(Promise.resolve(value), { then: adopted(id, value, note) });
      case "getter": {
        const then = adopted(id, value, note);
        return Object.defineProperty(Promise.resolve(value), "then", { get: () => then });
      }
      case "constructor": {
        const then = adopted(id, value, note);
        return Object.assign(Promise.resolve(value), { then, constructor: OwnPromise });
      }
      case "proxy":
        return new Proxy(Promise.resolve(value), {
          get: (target, key) =>
            key === "then" ? adopted(id, value, note) : Reflect.get(target, key),
        });
      case "odd":
        return Object.assign(Promise.resolve(value), { then: 5 });
      case "broken":
        return {
          get then() {
            note("read broken then");
            throw new Error(`no then ${id}`);
          },
        };
      default:
        return value;
    }
  };
  const called = function (...args) {
    note("called", this === undefined ? "alone" : typeof this, new.target !== undefined, ...args);
    return args.length;
  };
  const $ = {
    op(id, ...args) {
      note("op", id, ...args);
      return given(id, (visits++ * 7 + id) % 5);
    },
    /** As `op`, of a function. */
    act(id, ...args) {
      note("act", id, ...args);
      return given(
        id,
        Object.assign(
          function (...args) {
            return called.apply(this, args);
          },
          { called },
        ),
      );
    },
    /** Ends loops that no operation ends. */
    turn() {
      step("too many turns");
      return true;
    },
    log(...args) {
      note("log", ...args);
      return args.length;
    },
    more() {
      note("more");
      return steps % 3 !== 0;
    },
    /** What a call hands on, if it is short. */
    cut: (value) => {
      if (typeof value !== "string") return value;
      const text = unnamed(value);
      return text.length > 40 ? text.length : text;
    },
    /** Whether the function is to call itself. */
    again() {
      note("again");
      return again-- > 0;
    },
    called,
    obj: {
      field: 0,
      method(...args) {
        note("method", this === $.obj, ...args);
        return args.length;
      },
      get other() {
        note("get other");
        return () => 1;
      },
    },
    Box: class {
      constructor(...args) {
        note("new", ...args);
        this.sum = args.length;
      }
    },
    bag: {
      1: 5,
      field: 0,
      method(...args) {
        note("method of", this === $.bag ? "bag" : typeof this, ...args);
        return args.length;
      },
    },
    nothing: undefined,
    /** Methods that have a `call` of their own, or none, and what cannot be called. */
    odd: {
      own: Object.assign(
        (...args) => {
          note("odd", ...args);
          return args.length;
        },
        { call: () => note("the call of the program"), apply: () => note("the apply") },
      ),
      bare: bare(function (...args) {
        note("bare", this === $.odd, ...args);
        return args.length;
      }),
      proxy: new Proxy(() => undefined, {
        get: (_, key) => note("get of a proxy", key),
        apply: (_, self, args) => {
          note("call of a proxy", self === $.odd, ...args);
          return args.length;
        },
      }),
      call: { call: () => note("an object is called") },
    },
    fn(...args) {
      note("fn", this === $, ...args);
      return args.length;
    },
    tag(strings, ...values) {
      if (!templates.includes(strings)) templates.push(strings);
      note("tag", this === $, templates.indexOf(strings), strings.raw.join(), ...values);
      return values.length;
    },
    named(value) {
      note("named", typeof value === "function" ? value.name : value);
      return 1;
    },
    base: {
      m(...args) {
        note("super", ...args);
        return args.length;
      },
      own: Object.assign(
        (...args) => {
          note("own super", ...args);
          return args.length;
        },
        { call: () => note("the call of the program") },
      ),
      bare: bare(function (...args) {
        note("bare super", typeof this, ...args);
        return args.length;
      }),
    },
    Base: class {
      constructor(k) {
        this.k = k;
      }
      m(x) {
        return this.k + x;
      }
    },
    failing: (failure, value) => failing(failure, value, note),
    wrap: (value) => ({ k: value }),
    plain: (value) => value,
    same(value) {
      note("same");
      return value;
    },
    keep(closure) {
      kept.push(closure);
    },
    run() {
      for (const closure of kept.slice(-3)) closure();
    },
    *iterable(value) {
      try {
        note("iterate", value);
        yield 1;
        note("second");
        yield value;
        note("end of items");
      } finally {
        note("closed");
      }
    },
  };
  const self = {
    k: 1,
    m(...args) {
      note("m", this === self, ...args);
      return args.length;
    },
  };
  Object.assign($, { self, escaped: (f, ...args) => escaped(note, f, args) });
  const call = async (...args) => {
    try {
      return `returned ${show(await main($).call(self, ...args))}`;
    } catch (error) {
      return `rejected ${show(error)}`;
    }
  };
  let outcome;
  if (ticks) {
    const stop = tick(log);
    outcome = (await Promise.all([call(1, undefined), call(undefined, 2)])).join(", ");
    stop();
  } else {
    outcome = await call(1, undefined);
  }
  try {
    steps = STEPS;
    for (const closure of kept) closure();
  } catch (error) {
    log.push(`closure threw ${show(error)}`);
  }
  log.push(`k ${show(self.k)} field ${show($.obj.field)}`);
  // What nobody waited for may still be running.
  return { outcome, log: [...log], isEndless };
}

/** An iterable whose iterator fails where `failure` says. */
function failing(failure, value, note) {
  let round = 0;
  const iterator = {
    next() {
      note("next", round);
      if (failure === "next" && round === 1) throw new Error("next failed");
      if (failure === "primitive" && round === 1) return 7;
      const done = round++ > 1;
      return {
        done,
        get value() {
          if (failure === "value" && round === 2) throw new Error("value failed");
          return value;
        },
      };
    },
    return() {
      note("return");
      if (failure === "return") throw new Error("return failed");
      return failure === "primitive" ? 7 : {};
    },
  };
  if (failure === "noreturn") delete iterator.return;
  if (failure !== "odd") return { [Symbol.iterator]: () => iterator };
  const odd = { next: bare(iterator.next), return: bare(iterator.return) };
  return { [Symbol.iterator]: bare(() => odd) };
}

/** A function that has nothing of what functions have, but a `call` of its own. */
function bare(f) {
  return Object.setPrototypeOf(
    Object.defineProperty(f, "call", { value: () => "the call of the program" }),
    null,
  );
}

/** Calls a function that is there as a value, and has to be what an async function is. */
function escaped(note, f, args) {
  note("escaped", f.constructor.name, f.name, f.length);
  const promise = f(...args);
  const made = promise instanceof Promise;
  // Not before it is done: how far an async function runs before it returns may change.
  return promise.then((value) => {
    note("made a promise", made);
    return value;
  });
}

/** The `then` that a promise has of its own, which says when it is called: `return` does so, `await` not. */
function adopted(id, value, note) {
  return (resolve) => {
    note("own then", id);
    resolve(value + 10);
  };
}

/** A rejected promise that may be dropped. */
function rejected(error) {
  const promise = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}

/** Counts ticks in a log, until the function that it gives back is called. */
function tick(log) {
  let running = true;
  let count = 0;
  const next = () => {
    if (!running || count === TICKS) return;
    log.push(`tick ${count++}`);
    void Promise.resolve().then(next);
  };
  next();
  return () => (running = false);
}

/** A thenable whose `then` may be read only once. */
function countedThenable(value, note) {
  return {
    get then() {
      note("read then");
      return bare((resolve) => {
        note("then called");
        resolve(value);
      });
    },
  };
}
