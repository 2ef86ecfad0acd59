// Other orders in which what a program waits for may come to its end. Everything that is started by an operation of a
// rewritten place (`at` to `op`) takes longer by what the seed says: the operation itself, each `await` inside of it, its
// timers, what it asks of the file system and of Node's other threads, and what it writes to sockets. All of that may take
// as long as it likes as far as the program can know, so that whoever depends on it depends on chance.
"use strict";
const { AsyncLocalStorage } = require("node:async_hooks");
const { Buffer } = require("node:buffer");
const crypto = require("node:crypto");
const dns = require("node:dns");
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { Socket } = require("node:net");
const timers = require("node:timers");
const { types } = require("node:util");
const zlib = require("node:zlib");

/** The longest delay in ms, by the seed: things that are quick are told apart by short ones, slow ones by long ones. */
const SCALES = [3, 12, 40];
/** The share of operations in which nothing is delayed: one that is slow as a whole is overtaken by one that is not. */
const SHARE_QUICK = 0.5;
/** The share of what is not delayed in others. */
const SHARE_AT_ONCE = 0.3;
/** After so many delays of a test, only a turn of the event loop each: a test may wait a thousand times. */
const MOST = 400;

/**
 * Makes everything in this process take as long as the seed says.
 *
 * @param failing the operation that fails, by its site, its number and how often it has run before in a test; or nothing
 * @param write takes a record: that the operation was made to fail
 */
exports.createSchedule = ({ seed, failing }, write) => {
  // Tests replace the clocks of the global object: this one is kept from before.
  const { setTimeout } = timers;
  const running = new AsyncLocalStorage();
  /** How often each operation has been started. */
  const counts = new Map();
  const scale = SCALES[seed % SCALES.length];
  let delays = 0;
  /** The test: what its operations take depends on no other one, so that it is the same when it runs alone. */
  let test = 0;

  /** What is done next in an operation is delayed by so many ms; by nothing outside of one. */
  const nextDelay = () => {
    const operation = running.getStore();
    if (operation === undefined || operation.isQuick) return 0;
    const { site, op, count } = operation;
    return delayOf([site, op, count, ++operation.steps]);
  };
  const delayOf = (key) => {
    const chance = fraction([seed, test, ...key]);
    if (chance < SHARE_AT_ONCE) return 0;
    if (++delays > MOST) return 1;
    return Math.ceil(((chance - SHARE_AT_ONCE) / (1 - SHARE_AT_ONCE)) * scale);
  };
  const later = (ms, action) => void setTimeout(action, ms);
  const pause = (ms) => new Promise((resolve) => later(ms, resolve));
  /** What starts its work in `then`, as queries do, starts it as a part of the operation. */
  const within = (operation, value) =>
    isLazy(value)
      ? { then: (...actions) => running.run(operation, () => value.then(...actions)) }
      : value;
  /** The same outcome, later. */
  const delayed = async (value, ms) => {
    try {
      return await value;
    } finally {
      await pause(ms);
    }
  };
  const failed = async (value) => {
    await value;
    throw new Error(`headstart verify made this operation fail (schedule ${seed})`);
  };

  delayTimers(nextDelay);
  delayFiles(nextDelay, later, pause);
  delaySockets(nextDelay, later);
  delayThreads(nextDelay, later, pause);
  syncBuiltinESMExports();

  return {
    /** A test begins. */
    begin(id) {
      test = hashOf(Buffer.from(id));
      counts.clear();
      delays = 0;
    },
    /** Before an operation of a site is started. */
    at(site, op) {
      const key = `${site}.${op}`;
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      const outer = running.getStore();
      const isQuick = fraction([seed, test, site, op, count, 0]) < SHARE_QUICK;
      const operation = { site, op, count, isQuick, steps: 0 };
      running.enterWith(operation);
      return { operation, outer };
    },
    /** The operation has been started. */
    op({ operation, outer }, value) {
      running.enterWith(outer);
      const { site, op, count, isQuick } = operation;
      const fails = failing?.site === site && failing.op === op && failing.count === count;
      if (fails) write({ k: "failing" });
      if (isQuick && !fails) return value;
      const ms = isQuick ? 0 : delayOf([site, op, count]);
      const started = within(operation, value);
      const made = fails ? failed(started) : started;
      return ms === 0 ? made : delayed(made, ms);
    },
    /** What the program waits for. */
    step(value) {
      const operation = running.getStore();
      if (operation === undefined || operation.isQuick) return value;
      const ms = nextDelay();
      const started = within(operation, value);
      return ms === 0 ? started : delayed(started, ms);
    },
  };
};

/** Whether something is waited for that is no promise: it may begin its work only then. */
function isLazy(value) {
  return typeof value?.then === "function" && !types.isPromise(value);
}

/** A number from 0 up to 1 that depends on nothing but the key. */
function fraction(key) {
  return hashOf(key) / 2 ** 32;
}

/** Whole numbers as one: MurmurHash3's way of mixing. */
function hashOf(key) {
  let hash = 0x9747b28c;
  for (const part of key) {
    let mixed = Math.imul(part + 1, 0xcc9e2d51);
    mixed = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    hash ^= mixed;
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Puts another function in the place of one, with all that the program may look at. */
function replace(object, name, make) {
  const before = object[name];
  if (typeof before !== "function") return;
  const after = make(before);
  for (const key of Reflect.ownKeys(before)) {
    Object.defineProperty(after, key, Object.getOwnPropertyDescriptor(before, key));
  }
  object[name] = after;
}

/** A timer fires at its time at the earliest. */
function delayTimers(nextDelay) {
  const longer = (before) =>
    function (callback, ms, ...rest) {
      const more = nextDelay();
      return before.call(this, callback, more === 0 ? ms : (Number(ms) || 0) + more, ...rest);
    };
  for (const name of ["setTimeout", "setInterval"]) {
    replace(timers, name, longer);
    globalThis[name] = timers[name];
  }
  replace(require("node:timers/promises"), "setTimeout", (before) => (ms, ...rest) => {
    const more = nextDelay();
    return before(more === 0 ? ms : (Number(ms) || 0) + more, ...rest);
  });
}

/** What is asked of the file system at once is done in whatever order. */
function delayFiles(nextDelay, later, pause) {
  for (const name of Object.keys(fs.promises)) {
    // An iterator, which asks later.
    if (name === "watch") continue;
    replace(fs.promises, name, (before) => (...values) => {
      const ms = nextDelay();
      return ms === 0 ? before(...values) : pause(ms).then(() => before(...values));
    });
    // The same with a callback.
    replace(fs, name, (before) => (...values) => {
      const ms = typeof values.at(-1) === "function" ? nextDelay() : 0;
      return ms === 0 ? before(...values) : later(ms, () => before(...values));
    });
  }
}

/** What is written to a socket is on its way for a while; in its order, which the stream sees to. */
function delaySockets(nextDelay, later) {
  for (const name of ["_write", "_writev"]) {
    replace(
      Socket.prototype,
      name,
      (before) =>
        function (...values) {
          const ms = nextDelay();
          if (ms === 0) before.apply(this, values);
          else later(ms, () => before.apply(this, values));
        },
    );
  }
}

/** What Node does in threads of its own, by module. The callback is what is delayed: mistakes in a call are thrown at once. */
const THREADED = new Map([
  [
    crypto,
    /^(generateKey|generateKeyPair|generatePrime|checkPrime|hkdf|pbkdf2|randomBytes|randomFill|randomInt|scrypt|sign|verify)$/,
  ],
  [dns, /^(lookup|lookupService|resolve.*|reverse)$/],
  [
    zlib,
    /^(brotliCompress|brotliDecompress|deflate|deflateRaw|gunzip|gzip|inflate|inflateRaw|unzip)$/,
  ],
]);

function delayThreads(nextDelay, later, pause) {
  for (const [module, pattern] of THREADED) {
    for (const name of Object.keys(module).filter((it) => pattern.test(it))) {
      replace(
        module,
        name,
        (before) =>
          function (...values) {
            const callback = values.at(-1);
            const ms = typeof callback === "function" ? nextDelay() : 0;
            if (ms === 0) return before.apply(this, values);
            const delayed = (...results) => later(ms, () => callback(...results));
            return before.call(this, ...values.slice(0, -1), delayed);
          },
      );
    }
  }
  for (const name of Object.keys(dns.promises).filter((it) => THREADED.get(dns).test(it))) {
    replace(dns.promises, name, (before) => (...values) => {
      const ms = nextDelay();
      return ms === 0 ? before(...values) : pause(ms).then(() => before(...values));
    });
  }
}
