// Functions that call themselves go on where they hand over: every construct around the call in every form
// of function, with the limits lowered until each place hands over, and as deep as they are.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "headstart";

import { deeply } from "./deep.mjs";
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
};

describe("recursion that no name shows", () => {
  for (const [name, body] of Object.entries(HIDDEN)) {
    for (const directive of ["", '"perhaps async";']) {
      it(`${name}, ${directive === "" ? "found at call sites" : "asked for"}`, async () => {
        const text = `"use strict";\nasync function check(n) { return n.kind; }\n${body}`;
        const asked = text.replaceAll(
          /(async (?:function )?\w*\((?:n|n, f)\)(?: =>)? \{)/g,
          `$1 ${directive}`,
        );
        const { code } = optimize(asked, { file: "hidden.js" });
        let list = null;
        for (let at = 0; at < 30_000; at++) list = { kind: "a", next: list };
        await new Function(code)()(list);
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
