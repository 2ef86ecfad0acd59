import { conflict, meet } from "./resources.mjs";
import { hash, State } from "./state.mjs";

/** A run longer than this does not end. */
const MOST_STEPS = 400;

/** The second task marks what it does by names that begin with this. */
const OTHER = "o/";

/**
 * One run of a program. Operations are pending until the scheduler fires them; what they do is
 * done when they start or when they end, as `mode` says.
 */
export class World {
  trace = {
    main: "pending",
    other: "none",
    reads: [],
    writes: [],
    applied: [],
    output: [],
    conflicts: [],
    overlapped: new Set(),
    helpers: {},
    unhandled: [],
    pending: [],
    positions: [],
    started: new Set(),
    /** How often each operation has started that has started more than once. */
    repeated: new Map(),
    timingMatters: false,
    leaks: [],
    runaway: false,
    broken: false,
  };
  /** What the program has opened. */
  handles = [];
  #deferred = [];
  /** What sends every `fetch`, where the program has set one. */
  dispatcher;
  #state;
  #failures;
  #mode;
  #isTicking;
  #inFlight = [];
  #occurrences = new Map();
  #completed = new Set();
  #timersStarted = 0;
  #timersEnded = 0;
  #other;
  #hasOther = false;
  #steps = 0;
  #log;

  /**
   * @param {{seed: number, failures: Map<string, number>, isTicking: boolean, mode: "start" | "end" | "mixed",
   *   log?: string[]}} options
   *   `failures` says of each key how many of its occurrences fail, from the first, or, below zero, how many do not; without
   *   `isTicking` no time passes; `log` gets a line for each event.
   */
  constructor({ seed, failures, isTicking, mode, log }) {
    this.#log = log;
    this.#isTicking = isTicking;
    this.#state = new State(seed);
    this.#failures = failures;
    this.#mode = mode;
  }

  get state() {
    return this.#state;
  }

  /** Starts the program; its second task waits for the scheduler. */
  begin({ main, other }) {
    this.#other = other;
    this.#hasOther = other !== undefined;
    this.#follow("main", main, () => {
      const own = this.#inFlight.filter((operation) => operation.isMain);
      const isWrite = ({ writes, takes }) => writes.length > 0 && !takes;
      this.trace.pending = own.map((it) => ({ key: it.key, isWrite: isWrite(it) }));
    });
  }

  /** Calls back in the next turn of the event loop. */
  defer(callback) {
    this.#deferred.push(callback);
  }

  /** Calls back whoever has asked for that; false where nobody has. */
  callBack() {
    const callbacks = this.#deferred;
    this.#deferred = [];
    for (const callback of callbacks) callback();
    return callbacks.length > 0;
  }

  /** Looks at what is left when nothing happens any more. */
  finish() {
    const isLeft = ({ handle }) => !handle.isClosed && !handle.isHandedOn;
    this.trace.leaks = this.handles.filter(isLeft).map(({ key }) => key);
  }

  /** How many things could happen next. */
  enabled() {
    this.#steps += 1;
    this.trace.runaway ||= this.#steps > MOST_STEPS;
    if (this.trace.runaway) return 0;
    return this.#inFlight.length + (this.#other === undefined ? 0 : 1);
  }

  /** Lets one of them happen. */
  fire(index) {
    const operation = this.#inFlight[index];
    if (operation === undefined) {
      const other = this.#other;
      this.#other = undefined;
      this.#log?.push("the other task starts");
      this.#place();
      this.#follow("other", other, () => undefined);
      return;
    }
    this.#inFlight.splice(index, 1);
    this.#finish(operation);
  }

  /**
   * An operation of the program.
   *
   * @param {{key: string, reads?: string[], writes?: string[], isTimer?: boolean,
   *   isOther?: boolean, removes?: string[], takes?: boolean, apply: (state: State) => unknown}} what
   */
  operation({
    key,
    reads = [],
    writes = [],
    isTimer = false,
    isOther = false,
    removes = [],
    takes = false,
    apply,
  }) {
    const isMain = !isOther && !key.split(" ").some((word) => word.startsWith(OTHER));
    const operation = { key, reads, writes, isTimer, isMain, removes, takes, apply };
    this.#start(operation);
    return new Promise((resolve, reject) => {
      operation.resolve = resolve;
      operation.reject = reject;
      this.#inFlight.push(operation);
    });
  }

  /** An operation of the main task that has ended when this returns: it writes, and does not fail. */
  operationNow({ key, writes, apply }) {
    const operation = { key, reads: [], writes, isTimer: false, isMain: true, removes: [], apply };
    operation.resolve = () => undefined;
    operation.reject = operation.resolve;
    this.#start(operation);
    operation.fails = false;
    this.#finish(operation);
  }

  /** Milliseconds that pass only when an operation of the main task ends. */
  now() {
    return this.#isTicking ? this.#completed.size * 10 : 0;
  }

  print(...values) {
    const line = values.map(String).join(" ");
    const isMain = !line.startsWith(OTHER);
    this.#log?.push(`prints ${line}`);
    this.trace.output.push({ line, isMain, after: new Set(this.#completed) });
  }

  #start(operation) {
    const { key, isMain, writes, isTimer } = operation;
    const occurrence = this.#occurrences.get(key) ?? 0;
    this.#occurrences.set(key, occurrence + 1);
    const count = this.#failures.get(key) ?? 0;
    operation.fails = count < 0 ? occurrence >= -count : occurrence < count;
    operation.id = `${key} #${String(occurrence)}`;
    operation.era = this.#timersEnded;
    operation.endedBefore = this.#completed.size;
    this.#log?.push(`starts ${key}`);
    const helper = isMain && this.#hasOther ? helperOnStack() : undefined;
    if (helper !== undefined) this.trace.helpers[operation.id] = helper;
    if (!isTimer) this.trace.started.add(key);
    if (!isTimer && occurrence > 0) this.trace.repeated.set(key, occurrence + 1);
    for (const pending of this.#inFlight) this.#meet(pending, operation);
    if (isTimer) this.#timersStarted += 1;
    // What is written after a timer has to stay after it.
    if (writes.length > 0) {
      const when = isMain ? ` in ${String(operation.era)}` : "";
      this.trace.writes.push({ key: `${key}${when}`, writes });
    }
    // The same operation is early in every program, or in none.
    const isEarly = this.#mode === "start" || (this.#mode === "mixed" && hash(key) % 2 === 0);
    if (isEarly) this.#apply(operation);
  }

  /** Notes where in the main task the other one goes on. */
  #place() {
    const pending = this.#inFlight.filter(({ isMain }) => isMain).map(({ id }) => id);
    this.trace.positions.push({ completed: [...this.#completed].sort(), pending: pending.sort() });
  }

  #meet(pending, operation) {
    this.trace.timingMatters ||= pending.writes.length > 0 || operation.writes.length > 0;
    if (!pending.isMain || !operation.isMain) return;
    this.trace.overlapped.add([pending.id, operation.id].join("\n"));
    if (!conflict(pending, operation)) return;
    this.trace.conflicts.push({
      pair: `${pending.key} while ${operation.key}`,
      isRead: pending.writes.length === 0,
      removes: meet(pending.reads, operation.removes),
      since: [...this.#completed].slice(pending.endedBefore),
    });
  }

  #apply(operation) {
    operation.applied = true;
    if (operation.fails) return;
    if (operation.writes.length > 0) this.trace.applied.push(operation);
    try {
      operation.value = operation.apply(this.#state);
    } catch (error) {
      // An argument that the real operation would refuse too.
      operation.refused = error;
    }
  }

  #finish(operation) {
    if (!operation.applied) this.#apply(operation);
    const { key, id, isMain, isTimer, fails, value } = operation;
    this.#log?.push(`${fails ? "fails" : "ends"} ${key}`);
    if (isTimer) this.#timersEnded += 1;
    if (isMain) this.#completed.add(id);
    else this.#place();
    if (isMain && operation.writes.length === 0 && !isTimer) {
      const shown = fails ? "fails" : (JSON.stringify(value) ?? "nothing");
      const start = `${key} in ${String(operation.era)}`;
      this.trace.reads.push({
        start,
        whole: `${start} to ${String(this.#timersStarted)} ${shown}`,
      });
    }
    if (operation.refused !== undefined) operation.reject(operation.refused);
    else if (fails) operation.reject(this.#failure(key));
    else operation.resolve(value);
  }

  #failure(key) {
    const error = new Error(`failed: ${key}`);
    error.world = this;
    return error;
  }

  #follow(task, run, settled) {
    const done = (outcome) => {
      this.trace[task] = outcome;
      settled();
    };
    this.trace[task] = "pending";
    const failed = (error) => {
      this.trace.broken ||= error instanceof ReferenceError || error instanceof TypeError;
      done(`throws ${String(error?.message ?? error)}`);
    };
    try {
      Promise.resolve(run()).then((value) => done(`returns ${show(value)}`), failed);
    } catch (error) {
      failed(error);
    }
  }
}

/** The function of the program that is running, other than the tasks; none where it has no name. */
function helperOnStack() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 10;
  const { stack = "" } = new Error("where");
  Error.stackTraceLimit = limit;
  const running = stack.split("\n").find((line) => line.includes("eval at"));
  const name = / at (?:async )?([\w.]+) \(eval at/.exec(running ?? "")?.[1];
  return ["main", "other", "eval", undefined].includes(name) ? undefined : name;
}

function show(value) {
  // What is returned is handed on: whoever called has to close it.
  function part(key, shown) {
    this[key]?.handOn?.();
    return shown === undefined ? "undefined" : shown;
  }
  return JSON.stringify(value, part) ?? "nothing";
}
