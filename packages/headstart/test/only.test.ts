import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "../src/optimize.js";
import type { OptimizedFunction, OptimizeOptions } from "../src/optimize-types.js";

/** What becomes of functions where only those of some names may be converted. */
function only(code: string, names: readonly string[], options: OptimizeOptions = {}) {
  const { functions } = optimize(code, { file: "a.mjs", ...options });
  const named = functions.filter(({ name }) => names.includes(name));
  assert.equal(named.length, names.length);
  const positions = named.map(({ startPosition }) => startPosition);
  const result = optimize(code, { file: "a.mjs", ...options, only: positions });
  return { ...result, named: (name: string) => result.functions.find((it) => it.name === name) };
}

const reasonOf = (it: OptimizedFunction | undefined) =>
  it?.outcome.kind === "kept" ? it.outcome.reason : it?.outcome.kind;

const CALLS = `async function size(path) {
  return cache.get(path) ?? (await stat(path)).size;
}
async function total(paths) {
  let sum = 0; // of bytes
  await null;
  for (const path of paths) sum += await size(path);
  return sum;
}
const report = async (all) => {
  await null; // first
  return (await size(all[0])) + (await size(all[1]));
};
export { total, report };
`;

describe("optimize, with functions that may be converted", () => {
  it("leaves all others as they are written, and says so", () => {
    const { code, named } = only(CALLS, ["size", "total"]);
    assert.equal(reasonOf(named("size")), "converted");
    assert.equal(reasonOf(named("report")), "cold");
    assert.ok(code.includes(CALLS.slice(CALLS.indexOf("const report"), CALLS.indexOf("export"))));
    assert.match(code, /size\$fast\(path\)/);
  });

  it("edits no await of a function that is not among them", () => {
    assert.equal(optimize(CALLS, { file: "a.mjs" }).functions[1]?.eased.count, 1);
    const { code, named } = only(CALLS, ["size"]);
    assert.equal(named("total")?.eased.count, 0);
    assert.ok(code.includes("  for (const path of paths) sum += await size(path);\n"));
  });

  it("leaves a file without any of them as it is", () => {
    const { code, changed } = only(CALLS, []);
    assert.equal(changed, false);
    assert.equal(code, CALLS);
  });

  it("leaves functions that ask for it, and wrappers", () => {
    const asks = 'export async function f(x) { "perhaps async"; return (await x) + 1; }\n';
    assert.equal(reasonOf(only(asks, []).named("f")), "cold");
    assert.equal(reasonOf(only(asks, ["f"]).named("f")), "converted");
    const wraps =
      "async function f(x) { return await g(x); }\nf(1);\nasync function g(x) { for await (const y of x) return y; }\n";
    assert.equal(only(wraps, ["f"]).named("f")?.outcome.kind, "unwrapped");
    assert.equal(only(wraps, ["g"]).code, wraps);
  });

  it("leaves what a compiler wrote as generators", () => {
    const code = `var __awaiter = (this && this.__awaiter) || function (thisArg, _arguments, P, generator) {
    function adopt(value) { return value instanceof P ? value : new P(function (resolve) { resolve(value); }); }
    return new (P || (P = Promise))(function (resolve, reject) {
        function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } }
        function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } }
        function step(result) { result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected); }
        step((generator = generator.apply(thisArg, _arguments || [])).next());
    });
};
export function f(x) { return __awaiter(this, void 0, void 0, function* () { return (yield x) + 1; }); }
`;
    assert.equal(optimize(code, { file: "a.mjs" }).changed, true);
    assert.equal(optimize(code, { file: "a.mjs", only: [{ line: 9, column: 18 }] }).code, code);
  });

  it("converts a function in one that stays as it is", () => {
    const code =
      'export async function f(x) { await x; return async () => { "perhaps async"; await x; }; }\n';
    const { functions } = optimize(code, { file: "a.mjs" });
    const inner = functions[1]?.startPosition;
    assert.deepEqual(inner, { line: 1, column: 46 });
    const result = optimize(code, { file: "a.mjs", only: [inner] });
    assert.deepEqual(result.functions.map(reasonOf), ["cold", "converted"]);
    assert.ok(result.code.includes("export async function f(x) { await x; return "));
  });

  it("counts columns as V8 does, and names what is called", () => {
    const code = "/* 𝒳ü */ class A { static async  #m (a) { b.c(); d(); d(); this.#m(); } }\n";
    const [it] = optimize(code, { file: "a.mjs" }).functions;
    assert.deepEqual(it?.startPosition, { line: 1, column: code.indexOf("(a)") + 1 });
    assert.deepEqual(it.callees.toSorted(), ["c", "d", "m"]);
    const asks = code.replace("{ b", '{ "perhaps async"; await a; b');
    const [asked] = optimize(asks, { file: "a.mjs", only: [it.startPosition] }).functions;
    assert.equal(reasonOf(asked), "converted");
  });

  it("leaves out positions where nothing begins", () => {
    const positions = [
      { line: 1, column: 1 },
      { line: 1, column: 999 },
      { line: 99, column: 1 },
    ];
    assert.equal(optimize(CALLS, { file: "a.mjs", only: positions }).code, CALLS);
  });

  for (const given of [true, {}, [1], [null], [{ line: 0, column: 1 }], [{ line: 1 }]]) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      const options = { only: given } as unknown as OptimizeOptions;
      assert.throws(() => optimize("", options), {
        name: "HeadstartError",
        message:
          'the option "only" of optimize is an array of { line, column }, both counted from one',
      });
    });
  }
});
