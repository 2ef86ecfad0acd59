// What instrumented sources (transform.mjs) call: it follows which function runs and which call is
// under way in it, and writes the edges it saw to a file when the process exits.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { threadId } from "node:worker_threads";

/**
 * @typedef {import("./transform.mjs").Table} Table
 * @typedef {import("./transform.mjs").Fun} Fun
 * @typedef {import("./transform.mjs").Call} Call
 * @typedef {"direct" | "via-native" | "via-external" | "implicit"} Kind
 * @typedef {{ file: string, fn: number, call: number, prev: Activation | null, away: boolean }}
 *   Activation A running function; `call` is the call under way, -1 where there is none, and `away`
 *   says that it waits in an `await` or a `yield`.
 * @typedef {{ tries: number, kinds: Set<Kind> }} Seen
 */

/** How often an edge is looked at that was not direct so far. A look is slow. */
const TRIES = 20;
const FRAMES = 40;

/** @type {Activation | null} */
let current = null;
/** @type {Map<string, Table>} */
const tables = new Map();
/** The names stack frames have for the files of the program. @type {Set<string>} */
const names = new Set();
/** The names of files of the recorder, which do not count as callers. @type {Set<string>} */
const own = new Set();
/** Edges by caller, call and callee. @type {Map<string, Seen>} */
const edges = new Map();
/** @type {Map<string, Set<number>>} */
const executed = new Map();

/**
 * How the function was reached that is just being entered, undefined if not from a function of the
 * program: then what `current` says is left over from a suspension that could not be seen.
 *
 * @param {Function} below The function of the runtime that the entered function called.
 * @returns {"direct" | "via-native" | "via-external" | undefined}
 */
function route(below) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.prepareStackTrace = (_, frames) => frames;
  Error.stackTraceLimit = FRAMES;
  const holder = { stack: /** @type {any} */ (undefined) };
  Error.captureStackTrace(holder, below);
  /** @type {NodeJS.CallSite[]} */
  const frames = holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  let external = false;
  for (const [index, frame] of frames.entries()) {
    if (index === 0) continue;
    if (/** @type {any} */ (frame).isAsync()) return undefined;
    const name = frame.getFileName();
    if (name && names.has(name)) {
      return index === 1 ? "direct" : external ? "via-external" : "via-native";
    }
    external ||= frame.isEval() || Boolean(name && !name.startsWith("node:") && !own.has(name));
  }
  return undefined;
}

/**
 * @param {string} file
 * @param {number} fn
 * @param {Function} below
 */
function record(file, fn, below) {
  if (current === null) return;
  const key = `${current.file}\0${current.fn}\0${current.call}\0${file}\0${fn}`;
  let seen = edges.get(key);
  if (seen === undefined) edges.set(key, (seen = { tries: 0, kinds: new Set() }));
  if (seen.kinds.has("direct") || seen.tries >= TRIES) return;
  seen.tries++;
  const way = route(below);
  if (way === undefined) {
    current = null;
    return;
  }
  const { accessor, name } = /** @type {Table} */ (tables.get(file)).functions[fn];
  if (way === "via-external") seen.kinds.add(way);
  else if (current.call < 0 || (accessor && way === "direct")) seen.kinds.add("implicit");
  else {
    const table = /** @type {Table} */ (tables.get(current.file));
    // `f.call(o)` enters f without a frame of its own.
    const { forwards } = table.calls[current.call];
    seen.kinds.add(forwards !== undefined && forwards !== name ? "via-native" : way);
  }
}

class View {
  /** @param {string} file */
  constructor(file) {
    this.name = file;
    this.executed = new Set();
    executed.set(file, this.executed);
  }

  /** A function starts. @param {number} fn @param {unknown} [made] */
  enter(fn, made) {
    if (made !== View) record(this.name, fn, this.enter);
    current = { file: this.name, fn, call: -1, prev: current, away: false };
    return current;
  }

  /** A generator is made; its body starts later. @param {number} fn */
  made(fn) {
    record(this.name, fn, this.made);
    return View;
  }

  /** A function ends. @param {Activation} activation */
  leave(activation) {
    // One that waits was ended from outside: who did that is current already.
    if (!activation.away) current = activation.prev;
  }

  /** The callee is entered next. @template T @param {Activation} activation @param {number} call @param {T} value */
  mark(activation, call, value) {
    this.executed.add(call);
    activation.call = call;
    current = activation;
    return value;
  }

  /** The call has returned. @template T @param {Activation} activation @param {T} value */
  done(activation, value) {
    activation.call = -1;
    current = activation;
    return value;
  }

  /** As `mark`, where there is no activation. @template T @param {number} fn @param {number} call @param {T} value */
  begin(fn, call, value) {
    this.executed.add(call);
    const inChain = current?.file === this.name && current.fn === fn && current.call >= 0;
    const prev =
      inChain && temporary.has(/** @type {Activation} */ (current)) ? current?.prev : current;
    current = { file: this.name, fn, call, prev: prev ?? null, away: false };
    temporary.add(current);
    return value;
  }

  /** As `done`, where there is no activation. @template T @param {T} value */
  end(value) {
    if (current && temporary.has(current)) current = current.prev;
    return value;
  }

  /** @template T @param {Activation} activation @param {T} value */
  suspend(activation, value) {
    current = activation.prev;
    activation.prev = null;
    activation.away = true;
    return value;
  }

  /** @template T @param {Activation} activation @param {T} value */
  resume(activation, value) {
    this.back(activation);
    return value;
  }

  /** Control is back in a function, after an exception or an `await`. @param {Activation} activation */
  back(activation) {
    if (activation.away) activation.prev = current;
    activation.away = false;
    activation.call = -1;
    current = activation;
  }
}

/** Activations made by `begin`. @type {WeakSet<Activation>} */
const temporary = new WeakSet();

/**
 * @param {string} root The package's folder.
 * @param {string} out The folder for what was recorded.
 * @param {string} hook The file of the hook: it is on the stack where a module is loaded.
 */
export function install(root, out, hook) {
  own.add(hook).add(pathToFileURL(hook).href);
  /** @type {Map<string, View>} */
  const views = new Map();
  const file = (/** @type {string} */ name, /** @type {Table} */ table) => {
    let view = views.get(name);
    if (view === undefined) {
      views.set(name, (view = new View(name)));
      tables.set(name, table);
      const path = join(root, name);
      names.add(path).add(pathToFileURL(path).href);
    }
    return view;
  };
  Object.defineProperty(globalThis, Symbol.for("headstart.callgraph"), { value: { file } });
  process.on("exit", () => {
    if (tables.size === 0) return;
    mkdirSync(out, { recursive: true });
    const content = {
      tables: Object.fromEntries(tables),
      executed: Object.fromEntries([...executed].map(([name, calls]) => [name, [...calls]])),
      edges: [...edges].flatMap(([key, { kinds }]) =>
        [...kinds].map((kind) => [
          ...key.split("\0").map((x) => (/^-?\d+$/.test(x) ? +x : x)),
          kind,
        ]),
      ),
    };
    const name = `${process.pid}-${threadId}-${process.hrtime.bigint()}.json`;
    writeFileSync(join(out, name), JSON.stringify(content));
  });
}
