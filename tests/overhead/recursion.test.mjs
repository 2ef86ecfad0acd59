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
