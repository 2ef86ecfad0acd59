// Defaults and patterns of parameters do not see what the body declares (ECMA-262, 10.2.11
// FunctionDeclarationInstantiation): every way to mention a name in the list, with every way to declare it.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "headstart";

import { COMPILERS, load } from "./compilers.mjs";

/** Lists whose `v` is, or gives, what `w` means there. */
const LISTS = [
  "a, v = w",
  "a, v = typeof w",
  "a, v = [w].at(0)",
  "a, { v = w }",
  "a, { v = () => w }",
  "a, { [w()]: v }",
  "a, { k: [v = w] = [] }",
  "a, v = (() => w)()",
  "a, v = w.name",
  "a, v = w()",
  "a, v = () => [w, u], u = w()",
  "a, v = ((x = w) => x)()",
  "a, v = class extends w { static k = this.name }.k",
  "a, b, ...[v = w]",
];

/** Bodies that give `w` a value of its own. */
const BODIES = [
  "var w = await a;",
  "await a; if (a) { var w = 3; }",
  "for (var w of [1, 2]) await a;",
  "for (var w in { k: 1 }) await a;",
  "let w = await a;",
  "const { k: [w] } = await { k: [1] };",
  "await a; class w {}",
  "function w() { return 5; } await a;",
  "async function w() { return 5; } await a;",
];

/** Bodies whose `w` is another one: functions with these are converted. */
const OTHERS = [
  "await a; { const w = 3; await w; }",
  "await a; (function w() {})();",
  "await a; ((w) => w)(1);",
  "const o = { w: await a }; o.w;",
];

const textOf = (list, body) => `"use strict";
const w = function w() { return "outer"; };
const show = ((outer) => function show(it) {
  if (it === outer) return "outer";
  if (typeof it === "function") return it.name === "v" ? show(it()) : it.name;
  return Array.isArray(it) ? it.map(show).join() : String(it);
})(w);
async function main(${list}) { "perhaps async"; ${body} return [show(v), typeof w]; }
`;

/** How a function ends, for values and promises. */
async function observe(text) {
  const main = load(`${text}return main;`)({});
  const seen = [];
  for (const a of [1, Promise.resolve(2), { then: (resolve) => resolve(3) }]) {
    for (const given of [[], [{ outer: 5 }]]) {
      seen.push(await (async () => main(a, ...given))().catch((error) => error.name));
    }
  }
  return JSON.stringify(seen);
}

const outcomes = ({ functions }) =>
  functions.filter((it) => it.name === "main").map((it) => it.outcome.kind);

for (const ticks of ["relaxed", "exact"]) {
  describe(`defaults mean what is around the function, ${ticks} ticks`, () => {
    for (const list of LISTS) {
      it(`(${list})`, async () => {
        for (const body of BODIES) {
          const text = textOf(list, body);
          const { code } = optimize(text, { file: "program.cjs", ticks });
          assert.equal(await observe(code), await observe(text), text);
        }
        for (const body of OTHERS) {
          const text = textOf(list, body);
          const optimized = optimize(text, { file: "program.cjs", ticks });
          assert.deepEqual(outcomes(optimized), ["converted"], text);
          assert.equal(await observe(optimized.code), await observe(text), text);
        }
      });
    }
  });
}

for (const { name, compile } of COMPILERS) {
  it(`so they do where ${name} has written generators`, async () => {
    for (const list of LISTS) {
      for (const body of [...BODIES, ...OTHERS]) {
        const text = compile(textOf(list, body));
        const { code } = optimize(text, { file: "program.cjs" });
        assert.equal(await observe(code), await observe(text), text);
      }
    }
  });
}
