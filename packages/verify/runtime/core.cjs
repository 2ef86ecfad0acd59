// Stands in every process of a run, by --require: what the calls in instrumented code reach, and what
// the adapters of the runners report through. Everything goes to one file, a line of JSON each, in
// the order in which it happens; that order says which test an operation belongs to, in whatever
// process it ran.
"use strict";
const { openSync, writeSync } = require("node:fs");
// Tests replace the clocks of the global object: these are kept from before.
const { setInterval, setTimeout } = require("node:timers");
const { stripVTControlCharacters } = require("node:util");
const hrtime = process.hrtime.bigint;

const KEY = Symbol.for("headstart.verify");
/** Runs of a site in a process without tests are told apart when this long has passed, in ms. */
const NEW_HIT_MS = 5;
const MESSAGE_LENGTH = 4000;
const LOOK_MS = 1000;

if (process.env.HEADSTART_VERIFY !== undefined && globalThis[KEY] === undefined) {
  Object.defineProperty(globalThis, KEY, {
    value: create(JSON.parse(process.env.HEADSTART_VERIFY)),
  });
  // The first process of a run is its runner.
  const runner = process.env.HEADSTART_VERIFY_RUNNER;
  process.env.HEADSTART_VERIFY_RUNNER ??= String(process.pid);
  endWith(runner === undefined ? process.ppid : Number(runner));
  process.on("uncaughtExceptionMonitor", (error) => {
    globalThis[KEY].write({ k: "unhandled", message: globalThis[KEY].text(error) });
  });
}

/**
 * Ends this process when another one is gone: the runner, when what started it was killed in a way that
 * it could do nothing about, and then all that the runner has started.
 */
function endWith(pid) {
  const look = () => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if (error.code === "ESRCH") process.kill(process.pid, "SIGKILL");
    }
  };
  setInterval(look, LOOK_MS).unref();
}

/** Milliseconds, with fractions. */
function now() {
  return Number(hrtime()) / 1e6;
}

function create({ records, mode, delayMs, files, tests, schedule }) {
  let file;
  const started = new Map();
  let seen = [];

  const write = (record) => {
    try {
      file ??= openSync(records, "a");
      writeSync(file, `${JSON.stringify(record)}\n`);
    } catch {
      // A full disk must not change what the program does; the run is found to lack its end.
    }
  };

  const hit = (site) => {
    const last = seen[site];
    // A test clears this; without tests, as in a program that one starts, time has to do it.
    if (last !== undefined && (started.size > 0 || now() - last < NEW_HIT_MS)) return;
    seen[site] = now();
    write({ k: "hit", site });
  };

  const measured = (token, value) => {
    const end = () => {
      write({ k: "op", ...token, end: now() });
    };
    if (typeof value?.then !== "function") {
      end();
      return value;
    }
    // Never a second `then` on the value itself: some start their work there.
    return Promise.resolve(value).finally(end);
  };

  const delayed = async (value) => {
    try {
      return await value;
    } finally {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  };

  const scheduled = schedule && require("./schedule.cjs").createSchedule(schedule, write);
  const chosen = tests === null ? null : new Set(tests.map(({ id }) => id));

  return {
    /** The files to run, and whether a test in them is to run. */
    files,
    tests,
    runs: (id) => chosen === null || chosen.has(id),
    write,
    /** A test begins: what runs from here on is its own. */
    begin(id) {
      seen = [];
      scheduled?.begin(id);
      write({ k: "begin", id });
      started.set(id, now());
    },
    /** A test has ended. */
    end(id) {
      const start = started.get(id);
      if (start === undefined) return;
      const ms = now() - start;
      started.delete(id);
      write({ k: "end", id, ms });
    },
    /** The test that began last of those that have not ended. */
    running: () => [...started.keys()].at(-1),
    /** Before an operation of a site is started. */
    at(site, op) {
      if (mode === "probe") return hit(site);
      // An operation that is not found behind the rewrite is let alone before it, too.
      if (op < 0) return undefined;
      if (scheduled) return scheduled.at(site, op);
      return mode === "overlap" ? { site, op, start: now() } : mode;
    },
    /** An operation that has been started, as it is or as the mode of the run wants it. */
    op(token, value) {
      if (scheduled) return scheduled.op(token, value);
      return mode === "overlap" ? measured(token, value) : delayed(value);
    },
    /** What is waited for anywhere in the program: other orders delay it, too. */
    step: (value) => (scheduled ? scheduled.step(value) : value),
    /** What an error says, without colours, cut where it is long. */
    text(error) {
      const text = error instanceof Error || error?.stack ? (error.stack ?? "") : String(error);
      const message = String(error?.message ?? "");
      const whole = text.includes(message) ? text : `${message}\n${text}`;
      return stripVTControlCharacters(whole).slice(0, MESSAGE_LENGTH);
    },
  };
}
