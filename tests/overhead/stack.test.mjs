// Recursion whose calls take much of the stack each: many variables, many arguments, much between two calls.
// What `optimize` writes hands over before the default stack is full, however large the frames are.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { optimize } from "headstart";

const root = mkdtempSync(join(tmpdir(), "headstart-stack-"));
after(() => rmSync(root, { recursive: true }));

/** What each of some modules prints. */
const printedBy = (texts) =>
  texts.map((text, i) => {
    const file = join(root, `${i}.mjs`);
    writeFileSync(file, text);
    return execFileSync(process.execPath, [file], { encoding: "utf8" });
  });

const DEPTH = 2_000;
const times = (count, make, between = " ") =>
  Array.from({ length: count }, (_, i) => make(i)).join(between);

/** Each ends in a function `run(n)` that goes `n` deep, on a stack that the original never fills. */
const PROGRAMS = {
  "many constants in many cases": `async function run(n) {
    const one = await visit(1);
    if (n <= 0) return 0;
    switch (n % 40) {
      ${times(40, (i) => `case ${i}: { const a = await run(n - one), b = await visit(${i}), c = a + b, d = c % 1009; return c + d - d; }`, "\n")}
    }
  }`,
  "many variables": `async function run(n) {
    ${times(300, (i) => `let v${i} = n + ${i};`)}
    await visit(n);
    const below = n > 0 ? await run(n - 1) : 0;
    return [below, ${times(300, (i) => `v${i}`, ", ")}].reduce((x, y) => (x + y) % 1009);
  }`,
  "many operands that are kept": `async function run(n) {
    await visit(n);
    if (n <= 0) return [0];
    ${times(8, (i) => `const a${i} = [${times(40, (k) => `await visit(n + ${k})`, ", ")}];`)}
    return [(await run(n - 1))[0] + a0.length + a7[1]];
  }`,
  "many arguments": `async function run(n, ...rest) {
    await visit(n);
    return n > 0 ? 1 + (await run(n - 1, ${times(250, (i) => `${i}`, ", ")})) : rest.length;
  }`,
  "arguments that are spread": `async function sum(n, ...all) { await visit(n); return n > 0 ? 1 + (await sum(n - 1, ...all)) : all.length; }
    async function run(n) { await null; return await sum(n, ...Array(1000).fill(1)); }`,
  "arguments that are spread and ignored": `async function sum(n) { const all = Array(1000).fill(1); await visit(n); return n > 0 ? 1 + (await sum(n - 1, ...all)) : all.length; }
    async function run(n) { await null; return await sum(n); }`,
  "arguments of apply": `async function sum(n, ...all) { await visit(n); return n > 0 ? 1 + (await sum.apply(null, [n - 1, ...all])) : all.length; }
    async function run(n) { await null; return await sum(n, ...Array(1000).fill(1)); }`,
  "arguments of Reflect.apply": `async function sum(n, ...all) { await visit(n); return n > 0 ? 1 + (await Reflect.apply(sum, null, [n - 1, ...all])) : all.length; }
    async function run(n) { await null; return await sum(n, ...Array(1000).fill(1)); }`,
  "arguments of another function": `async function sum(n, ...all) { await visit(n); return n > 0 ? 1 + (await next(n - 1, all)) : all.length; }
    async function next(n, all) { return await sum(n, ...all); }
    async function run(n) { await null; return await sum(n, ...Array(1000).fill(1)); }`,
  "spread arguments of a method": `class C { async sum(n, ...all) { await visit(n); return n > 0 ? 1 + (await this.sum(n - 1, ...all)) : all.length; } }
    async function run(n) { await null; const c = new C(); return await c.sum(n, ...Array(1000).fill(1)); }`,
  "ordinary recursion between two calls": `const walk = (d, then) => (d ? walk(d - 1, then) : then());
    async function run(n) { await visit(n); return n > 0 ? 1 + (await walk(100, () => run(n - 1))) : 0; }`,
  "ordinary recursion of two functions": `function odd(d, then) { return even(d - 1, then); }
    function even(d, then) { return d > 0 ? odd(d - 1, then) : then(); }
    async function run(n) { await visit(n); return n > 0 ? 1 + (await even(100, () => run(n - 1))) : 0; }`,
  "ordinary recursion of a method": `class Node { constructor(d) { this.below = d > 0 ? new Node(d - 1) : null; } each(then) { return this.below ? this.below.each(then) : then(); } }
    const tree = new Node(100);
    async function run(n) { await visit(n); return n > 0 ? 1 + (await tree.each(() => run(n - 1))) : 0; }`,
  "recursion that awaits nothing": `async function walk(d, n) { DIRECTIVE if (d > 0) return walk(d - 1, n); return run(n); }
    async function run(n) { await visit(n); return n > 0 ? 1 + (await walk(100, n - 1)) : 0; }`,
  "large functions between two calls": `${times(20, (i) => `async function f${i}(n) { ${times(20, (k) => `let v${k} = n - ${k};`)} if (n < -1) await visit(${times(20, (k) => `v${k}`, ", ")}); return await ${i === 19 ? "run" : `f${i + 1}`}(n); }`, "\n")}
    async function run(n) { await visit(n); return n > 0 ? 1 + (await f0(n - 1)) : 0; }`,
};

describe("what each call takes of the stack", () => {
  for (const [name, text] of Object.entries(PROGRAMS)) {
    for (const directive of ["", '"perhaps async";']) {
      it(`${name}, ${directive === "" ? "found at call sites" : "asked for"}`, () => {
        const source = `async function visit(n) { return n; }\n${text}
          async function main() { await null; return await run(${DEPTH}); }
          main().then((it) => console.log(String(it)), (error) => console.log(String(error)));`;
        const asked = source
          .replaceAll("DIRECTIVE", "")
          .replaceAll(/(async (?:function )?\w+\([^)]*\)) \{/g, `$1 { ${directive}`);
        const { code } = optimize(asked, { file: "stack.mjs" });
        const printed = printedBy([asked, code]);
        assert.equal(printed[1], printed[0]);
        assert.doesNotMatch(printed[0], /Error/);
      });
    }
  }
});

/** Lists of arguments that are handed on, each time on a stack that holds one of them. */
const LISTS = {
  functions: `async function add(list, ...rows) { await visit(rows.length); list.push(...rows); return list.length; }
    async function insert(list, ...rows) { const given = rows.length; await visit(given); return given + (await add(list, ...rows)); }
    const put = async (...rows) => ((await visit(1)) ? await insert(...rows) : 0);
    async function run(rows) { return await put([], ...rows); }`,
  methods: `class Store { rows = []; async insert(...rows) { if (await visit(rows.length)) this.rows.push(...rows); return this.rows.length; } }
    class Repository { store = new Store(); async insert(...rows) { await visit(0); return await this.store.insert(...rows); } }
    class Service { repository = new Repository(); async insert(...rows) { await visit(0); return 1 + (await this.repository.insert(...rows)); } }
    async function run(rows) { return await new Service().insert(...rows); }`,
  "arguments of apply": `async function sum(...rows) { await visit(0); return Math.max(...rows); }
    async function twice(...rows) { await visit(0); return [await sum.apply(null, rows), await sum(...rows)].join(); }
    async function run(rows) { return await twice(...rows); }`,
};

for (const [name, text] of Object.entries(LISTS)) {
  it(`has each of many arguments on the stack once: ${name}`, () => {
    const source = `const kinds = { plain: (n) => n }; function visit(n) { return kinds[process.env.KIND ?? "plain"](n); }
      ${text}
      async function main() { await null; return await run(Array.from({ length: 80_000 }, (_, i) => i)); }
      main().then((it) => console.log(String(it)), (error) => console.log(String(error)));`;
    const { code, functions } = optimize(source, { file: "list.mjs" });
    assert.ok(functions.some((it) => it.outcome.kind === "converted"));
    const printed = printedBy([source, code]);
    assert.equal(printed[1], printed[0]);
    assert.doesNotMatch(printed[0], /Error/);
  });
}

it("lets small calls go as deep as before, and none stay async", () => {
  const text = `async function leaf(n) { return n; }
    export async function walk(n) { const x = await leaf(n); return n > 0 ? x + (await walk(n - 1)) : x; }
    export async function main(n) { await null; return await walk(n); }`;
  const { code } = optimize(text, { file: "small.mjs" });
  assert.match(code, /\$level[\w$]* \+ 513\) > 256511/);
});
