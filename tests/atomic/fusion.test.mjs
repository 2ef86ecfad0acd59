// Fusion: inside atomic blocks what waits for nothing takes no ticks, also where all others are kept; results, errors and
// the order of effects stay. Random programs whose whole work is one block, with and without.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { optimize } from "headstart";

import { scenarios } from "../overhead/differ.mjs";
import { generateCalls } from "../overhead/generate-calls.mjs";
import { observe } from "../overhead/world.mjs";
import { compiled, loaded } from "./compile.mjs";

const COUNT = Number(process.env["DIFFER_COUNT"] ?? 300);
const SEED = Number(process.env["DIFFER_SEED"] ?? 1);
const require = createRequire(import.meta.url);

before(() => {
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", () => undefined);
});

/** A program whose `main` is an atomic block: with the code of what it was, or around a call of that. */
function inBlock({ text, sites }, isBody) {
  const at = text.indexOf("async function main(");
  const main = text
    .slice(at)
    .replace(/return main;\n$/, "")
    .replaceAll("this.k", "$.self.k")
    .replaceAll("this.m(", "$.self.m(");
  const head = /^async function main\((.*)\) \{\n/.exec(main);
  const around = isBody
    ? `${head[0]}return atomic(async () => {\nawait undefined;\n${main.slice(head[0].length).trimEnd().slice(0, -1)}});\n}\nreturn main;\n`
    : `${main.replaceAll(/\bmain\(/g, "whole(")}
return async function main(...given) {
return atomic(async () => { await undefined; return await whole(...given); });
};
`;
  const front = `"use strict";\nconst { atomic } = require("headstart-activities");\n`;
  return { sites, text: front + text.slice(0, at) + around };
}

/** A program whose `main` runs in no block, where another function has a block that runs the same functions. */
function besideBlock({ text, sites }) {
  const block =
    "const block = () => atomic(async () => { await undefined; return await main(1, 2); });\n";
  const front = `"use strict";\nconst { atomic } = require("headstart-activities");\n`;
  return { sites, text: front + text.replace(/return main;\n$/, `${block}return main;\n`) };
}

/** A program that opens a block for each operation, in the middle of whatever calls it. */
function ofBlocks({ text, sites }) {
  const plain = "return $.op(...args);";
  const front = `"use strict";\nconst { atomic } = require("headstart-activities");\n`;
  return { sites, text: front + text.replace(plain, "return atomic(async () => $.op(...args));") };
}

/** Compares what two forms of a program do, in all scenarios. Returns how many runs that took. */
async function compare(seed, { text, sites }, [before, after], options) {
  let runs = 0;
  const [without, with_] = [loaded(before), loaded(after)];
  for (const behaviours of scenarios(sites, seed)) {
    const expected = await observe(without, behaviours, options);
    if (expected.isEndless) break;
    const actual = await observe(with_, behaviours, options);
    runs += 2;
    const same = isDeepStrictEqual(actual, expected);
    const shown = same ? "" : JSON.stringify({ behaviours, expected, actual }, null, 1);
    assert.ok(same, `program ${seed}\n${text}\n${after}\n${shown}`);
  }
  return runs;
}

/** Programs that wait for nothing that has been started outside of a block: that would wait for ever. */
function* programs() {
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    const program = generateCalls(seed);
    if (!program.text.includes("const early = ")) yield { seed, program };
  }
}

const isFused = (it) => it.outcome.entry === "inBlocks";

describe("random programs", () => {
  it(`do the same in blocks that are fused (${COUNT} programs from seed ${SEED})`, async () => {
    let [fused, runs] = [0, 0];
    for (const { seed, program } of programs()) {
      const made = inBlock(program, seed % 2 === 0);
      const { code: plain } = compiled(made.text, "directives");
      const { code, functions } = compiled(made.text, "all");
      fused += functions.filter(isFused).length;
      runs += await compare(seed, made, [plain, code], { depth: 3 });
    }
    console.log(`${COUNT} programs, ${fused} functions fused, ${runs} runs`);
    assert.ok(fused > COUNT / 3);
  });

  it(`keep each tick outside of blocks (${COUNT} programs from seed ${SEED})`, async () => {
    let [fused, runs] = [0, 0];
    for (const { seed, program } of programs()) {
      const made = besideBlock(program);
      const { code: plain } = compiled(made.text, "directives");
      const { code, functions } = compiled(made.text, "all");
      fused += functions.filter(isFused).length;
      runs += await compare(seed, made, [plain, code], { depth: 3, ticks: true });
    }
    console.log(`${COUNT} programs, ${fused} functions fused, ${runs} runs`);
    assert.ok(fused > COUNT / 3);
  });

  it(`do the same where fast functions open blocks (${COUNT} programs from seed ${SEED})`, async () => {
    let runs = 0;
    for (const { seed, program } of programs()) {
      const made = ofBlocks(program);
      const { code: plain } = compiled(made.text, "directives");
      const options = { atomic: true, commonjs: true, ticks: "relaxed", file: "program.js" };
      runs += await compare(seed, made, [plain, optimize(made.text, options).code], { depth: 3 });
    }
    console.log(`${COUNT} programs, ${runs} runs`);
  });
});

describe("blocks that fast functions open", () => {
  const file = "module.cjs";
  const run = async (text, options) => {
    const { code } = optimize(text, { atomic: true, file, ...options });
    const make = new Function("require", "exports", code);
    const exports = {};
    make(require, exports);
    return exports.run();
  };
  const head = 'const { atomic, spawn } = require("headstart-activities");\n';
  const asked = `${head}async function f() { "perhaps async"; return 1 + await atomic(async () => 3); }
exports.run = () => spawn(() => f()).join();`;
  const chosen = `${head}async function f(x) { if (x) return 1; return 1 + await atomic(async () => 3); }
async function g() { await f(1); return await f(0); }
exports.run = () => spawn(g).join();`;
  for (const ticks of ["relaxed", "exact"]) {
    it(`hold nobody who waits for them (${ticks})`, async () => {
      assert.equal(await run(asked, { ticks }), 4);
      assert.equal(await run(chosen, { ticks }), 4);
    });
  }
});

/** What became of the functions of a module with these lines, by name, and its text. */
function madeOf(lines, options = {}) {
  const text = `const cache = new Map();\nasync function get(key) { return cache.get(key); }\n${lines}\n`;
  const { code, functions } = optimize(text, {
    atomic: true,
    file: "module.mjs",
    ticks: "exact",
    ...options,
  });
  const entryOf = (name) => functions.find((it) => it.name === name)?.outcome.entry;
  return { code, functions, get: entryOf("get"), text };
}

const ATOMIC = 'import { atomic } from "headstart-activities";\n';
const BODY = "async () => { await null; return await get(1); }";

describe("which code is fused", () => {
  const fused = {
    "a body that stands there": `${ATOMIC}export const f = () => atomic(${BODY});`,
    "by another name": `import { atomic as together } from "headstart-activities";\nexport const f = () => together(${BODY});`,
    "of the whole package": `import * as all from "headstart-activities";\nexport const f = () => all.atomic(${BODY});`,
    "a function that is a body only": `${ATOMIC}const body = ${BODY};\nexport const f = () => atomic(body);`,
    "what a body calls by way of another": `${ATOMIC}async function two() { return await get(2); }\nexport const f = () => atomic(async () => { await null; return await two(); });`,
  };
  for (const [name, lines] of Object.entries(fused)) {
    it(name, () => assert.equal(madeOf(lines).get, "inBlocks"));
  }
  it("with require", () => {
    const lines = `const { atomic } = require("headstart-activities");\nexports.f = () => atomic(${BODY});`;
    assert.equal(madeOf(lines, { file: "module.cjs" }).get, "inBlocks");
  });
});

describe("which code is not fused", () => {
  const kept = {
    "what no block runs": `${ATOMIC}export const f = ${BODY};`,
    "an `atomic` of somebody else": `import { atomic } from "jotai";\nexport const f = () => atomic(${BODY});`,
    "a function that is called elsewhere, too": `${ATOMIC}const body = ${BODY};\nexport const f = () => atomic(body), g = () => body();`,
    "a body that is exported": `${ATOMIC}export const body = ${BODY};\nexport const f = () => atomic(body);`,
    "what stands in a callback of a block": `${ATOMIC}export const f = (all) => atomic(() => all.forEach(${BODY}));`,
    "an `atomic` that is hidden": `${ATOMIC}export const f = (atomic) => atomic(${BODY});`,
  };
  for (const [name, lines] of Object.entries(kept)) {
    it(name, () => {
      const { code, get, text } = madeOf(lines);
      assert.equal(get, undefined);
      assert.equal(
        code,
        optimize(text, {
          atomic: true,
          file: "module.mjs",
          functions: "directives",
          ticks: "exact",
        }).code,
      );
    });
  }
  const block = `${ATOMIC}export const f = () => atomic(${BODY});`;
  it('with `functions: "directives"`', () =>
    assert.equal(madeOf(block, { functions: "directives" }).get, undefined));
  it("without `atomic`", () => assert.equal(madeOf(block, { atomic: false }).get, undefined));
  it("where all ticks may go, which is more", () =>
    assert.equal(madeOf(block, { ticks: "relaxed" }).get, "inPlace"));
});
