// Async functions that only hand on a promise are plain ones afterwards, and nothing else is.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "headstart";

/** Without a directive, so that only wrappers are looked at. */
const options = { file: "wrappers.cjs", functions: "directives" };
const G = "async function g(x) { if (x === 3) throw new Error('g'); await 1; return x; }\n";
const outcomes = (code, changed = {}) =>
  Object.fromEntries(
    optimize(code, { ...options, ...changed }).functions.map((it) => [it.name, it.outcome]),
  );

describe("a wrapper is removed", () => {
  const cases = {
    "a declaration": [
      `async function f(x) { return await g(x); }`,
      "function f(x) { return g(x); }",
    ],
    "without await": [`async function f(x) { return g(x); }`, "function f(x) { return g(x); }"],
    "an arrow function": [`const f = async (x) => await g(x);`, "const f = (x) => g(x);"],
    "of literals and constants": [
      `const c = 1; const f = async (x) => g(x, c, "s", null);`,
      "(x) => g(",
    ],
  };
  for (const [name, [code, expected]] of Object.entries(cases)) {
    it(name, async () => {
      const { code: text, functions } = optimize(`${G}${code}\nreturn (x) => f(x);`, options);
      assert.ok(text.includes(expected), text);
      assert.equal(functions.find((it) => it.name === "f").outcome.kind, "unwrapped");
      const f = new Function(text)();
      assert.ok(f(1) instanceof Promise);
      assert.equal(await f(1), 1);
      await assert.rejects(f(3), /g/);
    });
  }

  it("between private methods", async () => {
    const code = `class A {
      async #g(x) { await x; return x; }
      async #f(x) { return await this.#g(x); }
      async f(x) { const y = await this.#f(x); return y; }
    }
    return new A();`;
    const { code: text, functions } = optimize(code, options);
    const kinds = functions.map((it) => it.outcome.kind);
    assert.deepEqual(kinds, ["kept", "unwrapped", "kept"]);
    assert.equal(await new Function(text)().f(1), 1);
  });
});

describe("a wrapper stays", () => {
  const cases = {
    "with a default": [`async function f(x = h()) { return g(x); }`, /parameters may throw/],
    "with a pattern": [`async function f({ x }) { return g(x); }`, /parameters may throw/],
    "that reads a property": [`async function f(x) { return g(x.y); }`, /passes on may throw/],
    "that passes on a global": [`async function f() { return g(x); }`, /passes on may throw/],
    "of a constant that may not be there": [
      `async function f(x) { return h(x); } const h = async () => {};`,
      /may not be there yet/,
    ],
    "in a declaration in front of its constant": [
      `make(); const h = async () => {}; function make() { const f = async (x) => h(x); return f; }`,
      /may not be there yet/,
    ],
    "in a block of sloppy code": [`{ async function f(x) { return g(x); } }`, /in a block/],
    "with a `this` that may have no such method": [
      `class A { async #g() {} async f() { return this.#g(); } }`,
      /no such method/,
    ],
    "with a method that is not only called": [
      `class A { async #g() {} async #f() { return this.#g(); } get() { return this.#f; } }`,
      /no such method/,
    ],
  };
  for (const [name, [code, reason]] of Object.entries(cases)) {
    it(name, () => {
      const { f } = outcomes(G + code);
      assert.equal(f.kind, "kept");
      assert.match(f.reason, reason);
    });
  }

  const exposed = {
    "that is exported": `export async function f(x) { return g(x); }`,
    "that is exported elsewhere": `const f = async (x) => g(x); export { f };`,
    "that is the default": `export default async function f(x) { return g(x); }`,
    "that is handed over": `async function f(x) { return g(x); } each([1], f);`,
    "that is assigned": `exports.f = async function f(x) { return g(x); };`,
    "that is a method of an object": `const o = { async f(x) { return g(x); } };`,
    "that is a static method": `class A { static async f(x) { return await g(x); } }`,
    "that is a method": `class A { async f(x) { return g(x); } }`,
  };
  for (const [name, code] of Object.entries(exposed)) {
    it(name, () => {
      const { f } = outcomes(`${G}${code}`, { file: "wrappers.js" });
      assert.equal(f.kind, "kept");
      assert.match(f.reason, /may ask whether it is an async function/);
    });
  }

  it("that other scripts of a page see", () => {
    const code = `${G}async function f(x) { return await g(x); }\nf(document.title);`;
    assert.equal(outcomes(code, { file: "wrappers.js" }).f.kind, "kept");
    assert.equal(outcomes(code).f.kind, "unwrapped");
  });

  it("of what can be replaced", () => {
    for (const code of [
      `let h = async () => {}; async function f(x) { return h(x); }`,
      `async function h() {} h = 1; async function f(x) { return h(x); }`,
      `const o = { async h() {}, async f() { return this.h(); } };`,
      `function h() {} async function f(x) { return h(x); }`,
      `async function* h() {} async function f(x) { return h(x); }`,
    ]) {
      const result = optimize(code, options);
      assert.equal(result.code, code);
      assert.ok(result.functions.every((it) => it.outcome.kind === "kept"));
    }
  });

  it("with frames that are kept, and with exact ticks", () => {
    const code = `${G}async function f(x) { return await g(x); }`;
    for (const changed of [{ keepFrames: true }, { ticks: "exact" }]) {
      assert.equal(optimize(code, { ...options, ...changed }).code, code);
    }
  });
});
