// Functions that call themselves go on where they hand over: every construct around the call in every form
// of function, with the limits lowered until each place hands over, and as deep as they are.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";

import { optimize } from "headstart";

import { deeply } from "./deep.mjs";
import { apart } from "./endless.mjs";
import { counts } from "./limits.mjs";
import { differs, FORMS, programs } from "./recursion.mjs";

/** One of so many of the constructs. */
const EVERY = Number(process.env["RECURSION_EVERY"] ?? 60);

/** What is rejected on purpose is nobody's business but that of who awaits it. */
process.on("unhandledRejection", () => undefined);

const DEPTHS = [0, 1, 2, 7, 14];
const LIMITS = [
  undefined,
  { depth: 0, rounds: 1 },
  { depth: 1, rounds: 2 },
  { depth: 3, rounds: 1 },
];

describe("functions that call themselves", () => {
  for (const ticks of ["relaxed", "exact"]) {
    it(`do the same wherever they hand over, with ${ticks} ticks`, async () => {
      let [all, counting] = [0, 0];
      for (const { what, text } of programs(ticks === "exact" ? 2 * EVERY : EVERY)) {
        const source = `"use strict";\n${text}`;
        const { code } = optimize(source, { file: "program.js", ticks });
        const difference = await differs(source, code, DEPTHS, LIMITS);
        assert.equal(difference, undefined, `${what}\n${JSON.stringify(difference, null, 1)}`);
        all += 1;
        counting += Number(counts(code));
      }
      assert.ok(all >= Object.keys(FORMS).length);
      // The limits that are lowered are those of what is written.
      const share = counting / all;
      assert.ok(ticks === "exact" ? share === 0 : share > 0.6, `${counting} of ${all} count`);
    });

    it(`do the same deeper than the limits, with ${ticks} ticks`, async () => {
      const { difference, count } = await deeply("constructs", { every: 15 * EVERY, ticks });
      assert.equal(difference, undefined, JSON.stringify(difference, null, 1));
      assert.ok(count > 0);
    });

    it(`do the same, random ones, deeper than the limits, with ${ticks} ticks`, async () => {
      for (const calls of ticks === "exact" ? [false] : [false, true]) {
        const options = { seed: 1, count: 40, calls, ticks };
        const { difference, converted } = await deeply("random", options);
        assert.equal(difference, undefined, JSON.stringify(difference, null, 1));
        assert.ok(converted > 0);
      }
    });
  }
});

/** Programs as they are written, each with what is to be the same however deep it goes. */
const LISTS = {
  "a list that is walked": `async function walk(node, visit) { await visit(node); if (node.next) await walk(node.next, visit) }
    return async (list, log) => { await walk(list, (it) => void log.push(it.n)); };`,
  "sums on the way back": `async function weigh(node) { return node.n; }
    async function sum(node) { const own = await weigh(node); const n = node.next ? await sum(node.next) : 0; return own + n; }
    return async (list, log) => void log.push(await sum(list));`,
  "blocks that are cleaned up": `class Walker {
      async enter(node, log) { log.push(node.n); }
      async visit(node, log) { await this.enter(node, log); try { if (node.next) await this.visit(node.next, log); } finally { log.push(-node.n); } } }
    return async (list, log) => { await new Walker().visit(list, log); };`,
  "functions that call one another": `const note = async (log, it) => void log.push(it);
    const odd = async (node, log) => { await note(log, "odd"); if (node.next) await even(node.next, log); await note(log, "out"); };
    const even = async (node, log) => { await note(log, "even"); for (const it of [node.next]) if (it) await odd(it, log); };
    return async (list, log) => { await even(list, log); };`,
};

describe("lists of 0 to 5,000", () => {
  for (const [name, body] of Object.entries(LISTS)) {
    it(name, async () => {
      const { code } = optimize(`"use strict";\n${body}`, { file: "list.js" });
      assert.match(code, /\$depth/);
      for (const length of [1, 2, 499, 500, 501, 1_200, 5_000]) {
        let list = null;
        for (let n = length; n > 0; n--) list = { n, next: list };
        const run = async (text) => {
          const log = [];
          await new Function(text)()(list, log);
          return log;
        };
        assert.deepEqual(await run(code), await run(body), `${String(length)} nodes`);
      }
    });
  }
});

/** Recursion by ways that no name shows: the original waits on each, and never gets deep. */
const HIDDEN = {
  "a function that is passed on": `async function visit(n, f) { await check(n); await f(n); }
    async function walk(n) { await visit(n, next); }
    async function next(n) { if (n.next) await walk(n.next); }
    return walk;`,
  "a function that is made on the way": `async function visit(n, f) { await check(n); await f(n); }
    async function walk(n) { await visit(n, async (n) => { await check(n); if (n.next) await walk(n.next); }); }
    return async (n) => { await walk(n); };`,
  "a table": `const table = { async a(n) { await check(n); await go(n.next); } };
    async function go(n) { await check(n ?? {}); if (n) await table[n.kind](n); }
    return async (n) => { await go(n); };`,
  "a map": `const table = new Map([["a", async (n) => { await check(n); await go(n.next); }]]);
    async function go(n) { await check(n ?? {}); if (n) await table.get(n.kind)(n); }
    return async (n) => { await go(n); };`,
  "a property under another name": `class Walker {
      constructor() { this.hook = this.go; }
      async go(n) { await check(n); if (n.next) await this.hook(n.next); }
      async run(n) { await this.go(n); }
    }
    return async (n) => { await new Walker().run(n); };`,
  "a private property": `class Walker {
      #hook = Walker.prototype.go;
      async go(n) { await check(n); if (n.next) await this.#hook(n.next); }
      async run(n) { await this.go(n); }
    }
    return async (n) => { await new Walker().run(n); };`,
  "functions passed to one another": `async function visit(n, f) { await check(n); await f(n, visit); }
    async function one(n, f) { await check(n); if (n.next) await f(n.next, one); }
    return async (n) => { await visit(n, one); };`,
  "what a node holds": `async function go(n) { await check(n); await n.handler(n); }
    async function step(n) { await check(n); if (n.next) { n.next.handler = step; await go(n.next); } }
    return async (n) => { n.handler = step; await go(n); };`,
  "a method of an object": `const service = { async walk(n) { await check(n); if (n.next) await service.walk(n.next); } };
    return async (n) => { await service.walk(n); };`,
  "a property that is exported": `const exported = {};
    exported.walk = async function (n) { await check(n); if (n.next) await exported.walk(n.next); };
    return (n) => exported.walk(n);`,
  "a method of a prototype": `function P() {}
    P.prototype.go = async function (n) { await check(n); if (n.next) await this.go(n.next); };
    return (n) => new P().go(n);`,
  "a property that is defined": `const o = Object.defineProperty({}, "go", { value: async function (n) { await check(n); if (n.next) await this.go(n.next); } });
    return (n) => o.go(n);`,
  "a class field": `class S { walk = async (n) => { await check(n); if (n.next) await this.walk(n.next); }; }
    return (n) => new S().walk(n);`,
  "a function that calls itself where it is made": `return (n) => (async function loop(n) { await check(n); if (n.next) await loop(n.next); })(n);`,
  "a variable that is assigned": `let f;
    f = async (n) => { await check(n); if (n.next) await f(n.next); };
    return (n) => f(n);`,
  "a constructor": `class C { constructor(n) { this.ready = make(n); } }
    async function make(n) { await check(n); if (n.next) await new C(n.next).ready; }
    return async (n) => { await make(n); };`,
  "a constructor of a class that extends another": `class B { constructor(n) { this.ready = make(n); } }
    class C extends B { kind = "c"; }
    async function make(n) { await check(n); if (n.next) await new C(n.next).ready; }
    return async (n) => { await make(n); };`,
  "a field of a class": `class C { ready = make(C.n); }
    async function make(n) { await check(n); C.n = n.next; if (n.next) await new C().ready; }
    return async (n) => { await make(n); };`,
  "a constructor that is passed on": `class C { constructor(n, type) { this.ready = make(n, type); } }
    async function make(n, type) { await check(n); if (n.next) await new type(n.next, type).ready; }
    return async (n) => { await make(n, C); };`,
  "a getter": `class Node { constructor(n) { this.n = n; } get done() { return go(this.n); } }
    async function go(n) { await check(n); if (n.next) await new Node(n.next).done; }
    return async (n) => { await go(n); };`,
  "a getter that is taken apart": `class Node { constructor(n) { this.n = n; } get done() { return go(this.n); } }
    async function go(n) { await check(n); if (n.next) { const { done } = new Node(n.next); await done; } }
    return async (n) => { await go(n); };`,
  "a getter under a computed name": `const key = "done";
    class Node { constructor(n) { this.n = n; } get [key]() { return go(this.n); } }
    async function go(n) { await check(n); if (n.next) await new Node(n.next)[key]; }
    return async (n) => { await go(n); };`,
  "a getter that a spread reads": `async function go(n) { await check(n); if (n.next) { const copy = { ...{ get done() { return go(n.next); } } }; await copy.done; } }
    return async (n) => { await go(n); };`,
  "a getter that a rest reads": `class Node { constructor(n) { Object.defineProperty(this, "done", { get: () => go(n), enumerable: true }); } }
    async function go(n) { await check(n); if (n.next) { const { other, ...all } = new Node(n.next); await all.done; } }
    return async (n) => { await go(n); };`,
  "a getter that a rest reads that is assigned": `const node = { n: null, get done() { return go(this.n); } };
    async function go(n) { await check(n); let all; if (n.next) { node.n = n.next; ({ n: all, ...all } = node); await all.done; } }
    return async (n) => { await go(n); };`,
  "a getter that Object.assign reads": `async function go(n) { await check(n); if (n.next) await Object.assign({}, { get done() { return go(n.next); } }).done; }
    return async (n) => { await go(n); };`,
  "a getter that structuredClone reads": `let done;
    let next;
    const view = { get done() { done = go(next); } };
    async function go(n) { await check(n); if (n.next) { next = n.next; structuredClone(view); await done; } }
    return async (n) => { await go(n); };`,
  "a getter that Object.values reads": `let next;
    const view = { get done() { return go(next); } };
    async function go(n) { await check(n); next = n.next; if (next) await Object.values(view)[0]; }
    return async (n) => { await go(n); };`,
  "a getter that Reflect.get reads": `let next;
    const view = { get done() { return go(next); } };
    async function go(n) { await check(n); next = n.next; if (next) await Reflect.get(view, "done"); }
    return async (n) => { await go(n); };`,
  "what JSON.stringify calls": `let next, done;
    const view = { get done() { done = go(next); } };
    async function go(n) { await check(n); next = n.next; if (next) { JSON.stringify(view); await done; } }
    return async (n) => { await go(n); };`,
  "what a text is replaced by": `async function go(n) { await check(n); let done; if (n.next) { "a".replace(/a/, () => (done = go(n.next), "")); await done; } }
    return async (n) => { await go(n); };`,
  "a setter": `class Node { set next(n) { this.done = go(n); } }
    async function go(n) { await check(n); if (n.next) { const node = new Node(); node.next = n.next; await node.done; } }
    return async (n) => { await go(n); };`,
  "a getter that is defined": `const node = Object.defineProperty({ n: null }, "done", { get() { return go(this.n); } });
    async function go(n) { await check(n); if (n.next) { node.n = n.next; await node.done; } }
    return async (n) => { await go(n); };`,
  "a proxy": `let list;
    const proxy = new Proxy({}, { get: () => go(list) });
    async function go(n) { await check(n); list = n.next; if (list) await proxy.done; }
    return async (n) => { await go(n); };`,
  "a tag of a template": `async function go(_, n) { await check(n); if (n.next) await go\`\${n.next}\`; }
    return async (n) => { await go([], n); };`,
  "an emitter": `const emitter = new EventEmitter();
    return (n) => new Promise((done) => {
      emitter.on("x", async (n) => { await check(n); if (n.next) emitter.emit("x", n.next); else done(); });
      emitter.emit("x", n);
    });`,
  "an emitter, by name": `const emitter = new EventEmitter();
    let done;
    async function onX(n) { await check(n); if (n.next) emitter.emit("x", n.next); else done(); }
    emitter.on("x", onX);
    return (n) => new Promise((resolve) => { done = resolve; void onX(n); });`,
  "a queue": `class Queue {
      jobs = [];
      next() { const n = this.jobs.shift(); if (n) this.run(n); else this.done(); }
      async run(n) { await check(n); this.next(); }
    }
    return (n) => new Promise((resolve) => {
      const queue = new Queue();
      for (; n; n = n.next) queue.jobs.push(n);
      queue.done = resolve;
      queue.next();
    });`,
  middleware: `const compose = (all) => (context) => {
      const dispatch = (i) => { const f = all[i]; return f ? Promise.resolve(f(context, () => dispatch(i + 1))) : Promise.resolve(); };
      return dispatch(0);
    };
    return async (n) => {
      const all = [];
      for (let i = 0; i < 4000; i++) all.push(async (n, next) => { await check(n); await next(); });
      await compose(all)(n);
    };`,
  "an iterator": `class List { constructor(n) { this.n = n; } *[Symbol.iterator]() { yield go(this.n); } }
    async function go(n) { await check(n); if (n.next) for (const it of new List(n.next)) await it; }
    return async (n) => { await go(n); };`,
  "a conversion": `class Node { constructor(n) { this.n = n; } valueOf() { this.done = go(this.n); return 1; } }
    async function go(n) { await check(n); if (n.next) { const node = new Node(n.next); +node; await node.done; } }
    return async (n) => { await go(n); };`,
};

describe("recursion that no name shows", () => {
  for (const [name, body] of Object.entries(HIDDEN)) {
    for (const directive of ["", '"perhaps async";']) {
      it(`${name}, ${directive === "" ? "found at call sites" : "asked for"}`, async () => {
        const text = `"use strict";\nasync function check(n) { return n.kind; }\n${body}`;
        const asked = text.replaceAll(
          /(async (?:function )?\w*\((?:n|n, f|n, next|n, type|_, n)\)(?: =>)? \{)/g,
          `$1 ${directive}`,
        );
        const { code } = optimize(asked, { file: "hidden.js" });
        let list = null;
        for (let at = 0; at < 30_000; at++) list = { kind: "a", next: list };
        await new Function("EventEmitter", code)(EventEmitter)(list);
      });
    }
  }
});

/** Each calls itself for ever, unless it is stopped: `go`, which `ASKS` stands in. */
const ENDLESS = {
  "a cycle": `async function go(n) { ASKS if (!n.next) return 0; return 1 + (await go(n.next)); }`,
  "functions that call one another": `async function go(n) { ASKS const x = await even(n.next); return x + (await check(n)); }
    async function even(n) { ASKS const x = await go(n); return x; }`,
  "a method": `class C { async m(n) { ASKS for (const it of [n.next]) await this.m(it); await check(n); } }
    async function go(n) { ASKS return await new C().m(n); }`,
  "a private method": `class C { async #m(n, k) { ASKS return k + (await this.#m(n.next, k)) + (await check(n)); } async run(n) { return await this.#m(n, 1); } }
    async function go(n) { ASKS return await new C().run(n); }`,
  "a closure": `async function go(n) { ASKS let sum = 0; const visit = async (n) => { ASKS sum++; await visit(n.next); await check(n); }; await visit(n); return sum; }`,
  "a function that uses this": `async function visit(n) { ASKS return this.k + (await visit.call(this, n.next)); }
    async function go(n) { ASKS return await visit.call({ k: 1 }, n); }`,
  "arguments that are spread": `async function go(n, ...all) { ASKS await go(n.next, ...all); return await check(n); }`,
  "what is left to the twin": `async function go(n) { ASKS for (const key in n) await go(n[key]); return 0; }`,
  "a block that is cleaned up": `async function go(n) { ASKS try { return await go(n.next); } finally { await check(n); } }`,
};

describe("recursion without an end", () => {
  for (const [name, text] of Object.entries(ENDLESS)) {
    for (const directive of ["", '"perhaps async";']) {
      it(`ends in a RangeError: ${name}, ${directive === "" ? "found at call sites" : "asked for"}`, async () => {
        const source = `"use strict";
          let count = 0;
          const cycle = {};
          cycle.next = cycle;
          async function check(n) { ASKS return n.next; }
          ${text}
          return async function main() {
            await null;
            try { return await go(cycle); } catch (error) { return error instanceof RangeError ? error.message : String(error); }
          };`.replaceAll("ASKS", directive);
        const { code } = optimize(source, { file: "endless.js" });
        // Closures, and what is called as a method of another, are converted only if they ask for it.
        assert.ok(counts(code) || directive === "", code);
        assert.equal(await apart(source), "Maximum call stack size exceeded");
        assert.equal(await apart(code), "Maximum call stack size exceeded");
      });
    }
  }

  it("rejects, and does not throw", async () => {
    const source = `async function go(n) { "perhaps async"; return await go(n); }
      return async () => { let thrown = true; try { const it = go(0); thrown = false; await it; } catch (error) { return [thrown, error.name].join(); } };`;
    const { code } = optimize(source, { file: "rejects.js" });
    assert.equal(await apart(code), "false,RangeError");
  });

  // Each goes deeper than recursion may that has never waited, all in all.
  const WAITING = {
    "that waits": `async function go(n) { if (n % 600 === 0) await WAIT; await check(n); return n > 0 ? 1 + (await go(n - 1)) : 0; }
      return async () => { await null; return await go(300000); };`,
    "that waits, twice at a time": `async function go(n) { if (n % 600 === 0) await WAIT; await check(n); return n > 0 ? 1 + (await go(n - 1)) : 0; }
      return async () => { await null; const both = await Promise.all([go(220000), go(220000)]); return both.join(); };`,
    "many times at once": `async function go(n) { await check(n); return n > 0 ? 1 + (await go(n - 1)) : 0; }
      const sum = async (all) => { let sum = 0; for (const it of all) sum += await it; return sum; };
      return async () => { await null; return await sum(Array.from({ length: 40 }, async () => { await null; return await go(6000); })); };`,
    "that waits in a loop first": `async function go(n) { for (const it of [n, n]) await check(it); return n > 0 ? 1 + (await go(n - 1)) : 0; }
      return async () => { await WAIT; return await go(300000); };`,
    "one after the other": `async function go(n) { await check(n); return n > 0 ? 1 + (await go(n - 1)) : 0; }
      return async () => { await null; let sum = 0; for (let i = 0; i < 60; i++) sum += await go(6000); return sum; };`,
  };
  const expected = ["300000", "220000,220000", "240000", "300000", "360000"];
  for (const [index, [name, text]] of Object.entries(WAITING).entries()) {
    for (const wait of ["Promise.resolve()", "new Promise((done) => setTimeout(done, 0))"]) {
      it(`goes as deep as it likes: ${name}, for ${wait}`, async () => {
        const source = `"use strict"; async function check(n) { return n; } ${text.replace("WAIT", wait)}`;
        const { code } = optimize(source, { file: "waits.js" });
        assert.ok(counts(code), code);
        assert.equal(String(await apart(code)), expected[index]);
      });
    }
  }
});

it("keeps the name of a function declared in another, wherever it hands over", async () => {
  const text = `"use strict";
    return async function main(get) {
      async function inner(n) { const it = await get(n); return n > 0 ? it + (await inner(n - 1)) : it; }
      return await inner(2);
    };`;
  const main = new Function(optimize(text, { file: "inner.js" }).code)();
  assert.equal(await main((n) => n), 3);
  assert.equal(await main((n) => Promise.resolve(n)), 3);
});
