/**
 * In which forms an async function may be written and called without costing a promise: small programs that never wait,
 * one a form, before and after `headstart optimize FOLDER`, and how many promises 100 rounds of each make.
 *
 *   node benches/overhead/forms.mjs [--only IIFE]
 *
 * A form whose promises do not go is one that a hot path of a real program may have (`real.mjs`).
 */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table } from "./tables.mjs";
import { OUTPUT, write } from "./workspace.mjs";

const CLI = fileURLToPath(new URL("../../packages/headstart/dist/cli.js", import.meta.url));
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    cli: { type: "string", default: CLI },
  },
});

const F = "async function f(x) { if (x < 0) await null; return x; }";
const BODY = "(x) { if (x < 0) await null; return x; }";
const THIS = "(x) { if (x < 0) await null; return x + this.k; }";
const CLASS = `class A { k = 1; async m${BODY} async g(x) { if (x < 0) await null; return this.m(x); } }`;

/** By form: what stands in front, and what each round awaits. */
const FORMS = {
  "f(x)": [F, "f(i)"],
  "return await f(x)": [`${F} async function g(x) { return await f(x); }`, "g(i)"],
  "return f(x)": [`${F} async function g(x) { if (x < 0) await null; return f(x); }`, "g(i)"],
  "return this.m(x)": [`${CLASS} const a = new A();`, "a.g(i)"],
  "return this.o.m(x)": [
    `${CLASS} class B { o = new A(); async g(x) { return this.o.m(x); } } const b = new B();`,
    "b.g(i)",
  ],
  "return c ? this.m(x) : this.n(x)": [
    `class A { async m${BODY} async n${BODY} async g(x) { return x % 2 ? this.m(x) : this.n(x); } } const a = new A();`,
    "a.g(i)",
  ],
  "return this.m(x), not async": [
    `class A { async m${BODY} g(x) { return this.m(x); } } const a = new A();`,
    "a.g(i)",
  ],
  "super.m(x)": [
    `${CLASS} class B extends A { async m(x) { return await super.m(x); } } const b = new B();`,
    "b.m(i)",
  ],
  "private #m": [
    `class A { async #m${BODY} async g(x) { return await this.#m(x); } } const a = new A();`,
    "a.g(i)",
  ],
  "class in a function": [
    `const make = () => class { async m${BODY} }; const a = new (make())();`,
    "a.m(i)",
  ],
  "class field": ["class A { m = async (x) => x; } const a = new A();", "a.m(i)"],
  "accessor: o.p": [`${F} const o = { get p() { return f(1); } };`, "o.p"],
  "f.call(this, x)": [F, "f.call({}, i)"],
  "f.call(this, x), with this": [`async function f${THIS}`, "f.call({ k: 1 }, i)"],
  "f.apply(this, xs)": [F, "f.apply({}, [i])"],
  "f.bind(this)": [`${F} const g = f.bind({});`, "g(i)"],
  "const p = f(x); await p": [
    `${F} async function g(x) { if (x < 0) await null; const p = f(x); return await p; }`,
    "g(i)",
  ],
  "a literal's method": [`const o = { async m${BODY} };`, "o.m(i)"],
  "a literal's method, with this": [`const o = { k: 1, async m${THIS} };`, "o.m(i)"],
  "a made literal's method, with this": [
    `const make = (k) => ({ k, async m${THIS} }); const o = make(1);`,
    "o.m(i)",
  ],
  "a made literal's arrow function": [
    `const make = (k) => ({ m: async (x) => { if (x < 0) await null; return x + k; } }); const o = make(1);`,
    "o.m(i)",
  ],
  "methods of a list of literals": [
    `const all = [1, 2].map((k) => ({ k, async m${THIS} }));`,
    "all[i % 2].m(i)",
  ],
  "a function of a list": [`const all = [async (x) => x];`, "all[0](i)"],
  "prototype.m = function": [
    `function A() {} A.prototype.m = async function ${BODY}; const a = new A();`,
    "a.m(i)",
  ],
  "prototype.m = function, with this": [
    `function A() { this.k = 1; } A.prototype.m = async function ${THIS}; const a = new A();`,
    "a.m(i)",
  ],
  IIFE: [
    `const api = (() => { ${F} async function g(x) { return (await f(x)) + 1; } return { g }; })();`,
    "api.g(i)",
  ],
  "IIFE, recursion": [
    "const f = (() => { async function f(x) { return x > 0 ? 1 + (await f(x - 1)) : 0; } return f; })();",
    "f(3)",
  ],
  recursion: ["async function f(x) { return x > 0 ? 1 + (await f(x - 1)) : 0; }", "f(3)"],
  "Promise.all of two": [
    `${F} async function g(x) { const [a, b] = await Promise.all([f(x), f(x)]); return a + b; }`,
    "g(i)",
  ],
  "Promise.all of map": [
    `${F} async function g(x) { return (await Promise.all([x, x].map(async (it) => await f(it)))).length; }`,
    "g(i)",
  ],
  "for await, async generator": [
    `${F} async function* all(x) { yield await f(x); } async function g(x) { for await (const it of all(x)) x += it; return x; }`,
    "g(i)",
  ],
  "for await, iterator": [
    `class It { n = 2; async next() { return { done: !this.n--, value: 1 }; } [Symbol.asyncIterator]() { return this; } }
     async function g(x) { for await (const it of new It()) x += it; return x; }`,
    "g(i)",
  ],
  "middleware: await next()": [
    `const all = [async (c, next) => { c.n++; await next(); }, async (c, next) => { await next(); c.n++; }];
     function run1(c) { const go = async (i) => { const f = all[i]; if (f) await f(c, () => go(i + 1)); }; return go(0); }`,
    "run1({ n: 0 })",
  ],
};

const COUNTER = `import { promiseHooks } from "node:v8";
let promises = 0;
const { run } = await import("./" + process.argv[2] + "/main.mjs");
promiseHooks.onInit(() => promises++);
await run(100);
console.log(promises);
`;

const program = ([before, call]) => `${before}
export async function run(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += await ${call};
  return sum;
}
`;

/** How many promises a form makes, before and after. */
function count(form, at) {
  const folder = `forms/${at}`;
  const root = path.join(OUTPUT, folder);
  write(`${folder}/before`, "main.mjs", program(form));
  const counter = write(folder, "count.mjs", COUNTER);
  const [from, to] = ["before", "after"].map((it) => path.join(root, it));
  execFileSync(process.execPath, [values.cli, "optimize", from, "-o", to]);
  const run = (variant) => execFileSync(process.execPath, [counter, variant], { encoding: "utf8" });
  return [run("before").trim(), run("after").trim()];
}

const chosen = Object.entries(FORMS).filter(([name]) => name.includes(values.only));
const rows = chosen.map(([name, form], at) => [`\`${name}\``, ...count(form, at)]);
console.log(table(["form", "promises before", "after"], rows));
