// Functions with the directive, in programs that are known as a whole and in files by themselves.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "headstart";

import { apart } from "./endless.mjs";
import { run } from "./run-whole.mjs";

const ASKS = '"perhaps async";';

describe("functions with the directive in a whole program", () => {
  const files = {
    "lib.mjs": `export async function size(x) { ${ASKS} if (!x) throw new Error("none"); return x.length; }
export async function unused(x) { ${ASKS} return (await size(x)) + 1; }
export class Box {
  constructor(k) { this.k = k; }
  async get(x) { ${ASKS} return this.k + (await size(x)); }
  async never(x) { ${ASKS} return await this.get(x); }
}
`,
    "main.mjs": `import { Box, size } from "./lib.mjs";
async function main() {
  ${ASKS}
  await null;
  let sum = 0;
  for (const it of ["a", "bc"]) sum += (await size(it)) + (await new Box(3).get(it));
  try { await size(""); } catch (error) { console.log(error.message); }
  return sum;
}
console.log(await main());
console.log(await new Box(1).never("xy"));
`,
  };

  it("get a fast form where something awaits them at once, and become fast ones themselves where nothing does", () => {
    const { report, texts } = run(files);
    assert.match(report, /lib\.mjs:1:\d+ size: converted for those that await it at once/);
    assert.match(report, /lib\.mjs:2:\d+ unused: converted \(/);
    assert.match(report, /lib\.mjs:5:\d+ get: converted for those that await it at once/);
    assert.match(report, /lib\.mjs:6:\d+ never: converted \(/);
    assert.match(texts["lib.mjs"], /async function size/);
    assert.doesNotMatch(texts["lib.mjs"], /async function unused\(/);
  });

  it("give promises to who asks whether they do", () => {
    const asking = `import { Box, size } from "./lib.mjs";
const main = async () => { await null; return (await size("a")) + (await new Box(1).get("b")); };
console.log(await main(), size("a") instanceof Promise, new Box(2).get("c") instanceof Promise);
`;
    const { printed } = run({ ...files, "main.mjs": asking });
    assert.match(printed, /true true/);
  });

  it("of a file by itself become fast ones, whoever calls them", () => {
    const { functions } = optimize(files["lib.mjs"], { file: "lib.mjs" });
    assert.ok(functions.every((it) => it.outcome.entry === "asked"));
  });
});

describe("functions that ask for it, where the stack overflows", () => {
  // What they are rejected with is made there; whoever gets the promise has to have the room to hand it on.
  const PROGRAMS = {
    "in what awaits nothing": `async function deep(n) { ${ASKS} return n ? deep(n - 1) : 0; }`,
    "in a variable": `async function deep(n) { ${ASKS} if (!n) return 0; const it = await deep(n - 1); return it; }`,
    "in a default": `async function deep(n, d = n && deep(n - 1)) { ${ASKS} await d; return 0; }`,
    "behind the engine": `async function deep(n) { ${ASKS} if (!n) return 0; let p; JSON.stringify({ toJSON() { p = deep(n - 1); } }); return 1 + (await p); }`,
    "in a loop": `async function deep(n) { ${ASKS} let sum = 0; for (const it of n ? [n - 1] : []) sum += await deep(it); return sum; }`,
  };
  for (const [name, text] of Object.entries(PROGRAMS)) {
    for (const ticks of ["relaxed", "exact"]) {
      it(`lose no promise: ${name}, with ${ticks} ticks`, async () => {
        const source = `"use strict";
          async function bad(n) { ${ASKS} if (n >= 0) throw new Error("x"); return 1; }
          ${text}
          return async () => {
            for (let i = 0; i < 40; i++) try { await bad(i); } catch {}
            try { await deep(300_000); } catch (error) { return error.name; }
            return "no error";
          };`;
        const { code, functions } = optimize(source, { file: "overflow.js", ticks });
        assert.ok(functions.some((it) => it.outcome.entry === "asked"));
        assert.equal(await apart(code), await apart(source));
      });
    }
  }
});
