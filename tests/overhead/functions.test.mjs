// Functions of whole programs that are called on objects, stand in others, or are more than called.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { run } from "./run-whole.mjs";

describe("functions that see themselves", () => {
  it("by way of `arguments.callee`, with and without parameters", () => {
    const { report } = run(
      {
        "lib.js": `exports.f = async function () { arguments.callee.n = (arguments.callee.n || 0) + 1; return exports.f.n; };
exports.g = async function (x) { return arguments.callee === exports.g && x; };
exports.o = { async m() { return (() => arguments.callee === exports.o.m)(); } };
exports.plain = async function () { return this === exports; };
`,
        "main.js": `const lib = require("./lib.js");
async function main() {
  await 0;
  for (let i = 0; i < 2; i++) console.log(await lib.f(), lib.f.n, await lib.g(i), await lib.o.m(), await lib.plain());
}
main();
`,
      },
      "main.js",
    );
    assert.match(report, /lib\.js:1:\d+ f: kept: /);
    assert.match(report, /lib\.js:4:\d+ plain: converted/);
  });

  it("have no name where it would be assigned to a name in parentheses", () => {
    run({
      "lib.mjs": `export let a, b, c;
(a) = async (x) => x;
b = async (x) => x;
((c)) ??= async (x) => x;
`,
      "main.mjs": `import { a, b, c } from "./lib.mjs";
async function main() {
  await 0;
  for (const f of [a, b, c]) console.log(JSON.stringify(f.name), await f(1));
  console.log(await a(1), await b(2), await c(3));
}
main();
`,
    });
  });
});

describe("functions that use what they are called on", () => {
  it("of objects: overridden, replaced, copied, bound and given to others, with nothing to be seen of it", () => {
    const { report, texts } = run({
      "desk.mjs": `export const desk = {
  async ["comp" + "uted"](x) { return await this.shut(x); },
  k: 1,
  async open(x) { return [this?.k, x, arguments.length].join(); },
  async "shut"(x) { return "shut " + (await this["open"](x)); },
  async late(x) { await x; return (await this.open(2)) + this.k; },
  async lone() { return "never"; },
  lone: async () => "last",
  async get(x) { return x; },
  get got() { return this.open; },
};
export const made = (k) => ({ async open(x) { return k + x; }, ...desk, k, async more(x) { return (await this.open(x)) + (await desk.open.call(this, x)); } });
export class Base { async name() { return "base"; } }
`,
      "main.mjs": `import { inspect } from "node:util";
import { desk, made } from "./desk.mjs";
async function all(it) {
  const found = [];
  for (const x of [1, { then(f) { f("then"); } }])
    found.push(await it.open(x), await it.shut(x), await it["late"](x), await it.lone(), await it.computed(3), await it.got(x));
  return found.join(" ");
}
async function main() {
  await null;
  const own = made(4);
  for (const it of [desk, own, { ...desk, k: 2 }, Object.create(desk), Object.assign(() => {}, desk)]) console.log(await all(it));
  console.log(await own.more(5), await own.more.call({ open: async () => 6, k: 7 }, 8));
  desk.open = async function () { return "replaced " + this.k; };
  own.open = own.open.bind({ k: "bound" });
  console.log(await all(desk), await all(own));
  desk.open = (x) => Promise.resolve(x);
  console.log(await desk.open(9), await desk.shut(9));
  console.log(inspect(desk), Reflect.ownKeys(own).join(), Reflect.ownKeys(own.more).join(), own.more.name, own.more.length);
  try { await own.none(1); } catch (error) { console.log(error.constructor.name); }
  try { new own.more(); } catch (error) { console.log(error.constructor.name); }
}
await main();
`,
    });
    for (const name of ["open", "shut", "late", "more"]) {
      assert.match(report, new RegExp(`desk\\.mjs:\\d+:\\d+ ${name}: converted`));
    }
    assert.match(texts["main.mjs"], /\$applied\(/);
  });

  it("by way of `call` and `apply`, also those of their own, of what is none, and of bound ones", () => {
    const { texts } = run({
      "lib.cjs": `async function sum(x, y = 1) { return (this?.k ?? typeof this) + x + y; }
async function strict(x) { "use strict"; return typeof this + (await sum.call(this, x)); }
async function spread(...list) { return list.length + (await sum.apply(this, list)); }
module.exports = { sum, strict, spread };
`,
      "main.mjs": `import lib from "./lib.cjs";
const { sum, strict, spread } = lib;
async function main() {
  await null;
  for (const it of [{ k: 2 }, null, undefined, 5, "text"]) {
    console.log(await sum.call(it, 1), await strict.call(it, 2), await spread.apply(it, [3, 4]), await lib.sum.apply(it, [5]));
    console.log(await sum.call(it, ...[1, 2]), await sum.apply(it), await sum.call(), await sum.call(it, await sum.call(it, 1)));
  }
  console.log(await sum.bind({ k: 7 }).call({ k: 8 }, 9), await sum.call.call(strict, 3, 4));
  const own = Object.assign(async (x) => x, { call: async (x) => "own call " + x });
  console.log(await own.call(1), await own.apply(null, [2]));
  for (const it of [null, {}, { call: 5 }, { call: (x) => x }]) {
    try { console.log(await it.call(1)); } catch (error) { console.log(error.constructor.name); }
  }
  try { await sum.apply({}, 5); } catch (error) { console.log(error.constructor.name); }
  sum.call = async () => "replaced";
  console.log(await sum.call({ k: 1 }, 2), await sum.apply({ k: 1 }, [2]));
}
await main();
`,
    });
    assert.match(texts["main.mjs"], /=== \$call\.(call|apply) \?/);
  });

  it("declared in others: above and below their uses, in loops, calling themselves", () => {
    const { report } = run({
      "lib.mjs": `export function make(k) {
  return { run, again, k };
  async function run(x) { k += 1; return await inner(x, 2); }
  async function inner(x, n) { if (n > 0) return [k, await inner(x, n - 1)].join(); return await x; }
  async function again(x) { return (await run.call(this, x)) + this?.k; }
}
export async function loops(list, f) {
  const found = [];
  for (const it of list) {
    found.push(await step(1));
    async function step(x) { found.push(it); return (await f(it)) + x; }
    found.push(step);
  }
  return [found.filter((it) => typeof it !== "function").join(), new Set(found).size, found.at(-1).name];
}
`,
      "main.mjs": `import { make, loops } from "./lib.mjs";
async function main() {
  await null;
  const it = make(3);
  console.log(await it.run(1), await it.again(Promise.resolve(2)), await it.again.call(5, 6));
  console.log(await loops([1, 2], async (x) => x * 2), await loops([1, 2], async (x) => Promise.resolve(x)));
}
await main();
`,
    });
    for (const name of ["run", "inner", "again", "step"]) {
      assert.match(report, new RegExp(`lib\\.mjs:\\d+:\\d+ ${name}: converted`));
    }
  });
});

describe("functions and classes that are not only called", () => {
  it("stay as they are where their text is read, wherever that is", () => {
    const { printed } = run({
      "lib.mjs": `export const asText = { template: async (f) => \`(\${f})\`, plus: async (f) => "(" + f + ")", string: async (f) => String([f][0]), own: async (f) => f.toString(),
  far: async (f) => Function.prototype.toString.call(f) };
export const elsewhere = async (text) => (0, eval)("(" + text + ")");
export class Store { async get(x) { return x; } async twice(x) { await null; return (await this.get(x)) * 2; } }
export async function named(n) { await null; const h = async (x) => x; let s = 0; for (let i = 0; i < n; i++) s += await h(i); return s; }
export const self = async (n) => { const h = async (x) => x; return (await h(n)) + self.toString().length - self.toString().length; };
`,
      "main.mjs": `import { asText, elsewhere, named, self, Store } from "./lib.mjs";
async function main() {
  await null;
  for (const read of Object.values(asText)) {
    const f = await elsewhere(await read(async (n) => { const h = async (x) => x; let s = 0; for (let i = 0; i < n; i++) s += await h(i); return s; }));
    console.log(await f(10), await (await elsewhere(await read(named)))(5));
  }
  const Other = await elsewhere(\`\${Store}\`);
  console.log(await new Other().twice(3), await new Store().twice(4), await self(2));
}
await main();
`,
    });
    assert.match(printed, /^45 10$/m);
  });

  it("stay as they are where methods, or functions by their names, are read or taken elsewhere", () => {
    run({
      "jobs.mjs": `const made = async (x) => x;
export const jobs = { async run(x) { const o = { async m(y) { return y + x; } }; await null; return await o.m(1); } };
export class Job { async run(x) { const o = { async m(y) { return y + x; } }; await null; return await o.m(await made(1)); } }
export const ship = (o) => "({" + Object.keys(o).map((key) => (typeof o[key] === "function" ? \`\${o[key]}\` : "")).join() + "})";
export const page = { async evaluate(f, ...list) { return await (0, eval)("(" + f + ")")(...list); } };
export function fail(message, f) { const error = new Error(message); Error.captureStackTrace(error, f); throw error; }
`,
      "main.mjs": `import { jobs, Job, ship, page, fail } from "./jobs.mjs";
const text = (f) => "({" + f + "})";
async function outer(x) { await null; const o = { async m(y) { return y + x; } }; return await o.m(1); }
async function find(key) { fail("no " + key, find); }
async function main() {
  await null;
  const { run } = jobs, elsewhere = (it) => (0, eval)(it);
  console.log(await jobs.run(1), await elsewhere(ship(jobs)).run(2), await elsewhere(text(run)).run(3), await elsewhere(\`({\${jobs.run}})\`).run(4));
  console.log(await new Job().run(1), await elsewhere(text(new Job().run).replace("await made(1)", "1")).run(2));
  let source = "(";
  source += outer;
  console.log(await page.evaluate(outer, 2), await elsewhere(source + ")")(3));
  try { await find(1); } catch (error) { console.log(error.stack.split("\\n").length > 1); }
  const odd = { async 1e21(x) { return x; }, async "a b"(x) { return x; } };
  console.log(await odd[1e21](5), await odd["a b"](6));
}
await main();
`,
    });
  });

  it("stay where a function in a block of sloppy code takes their place", () => {
    run({
      "lib.cjs": `async function f(x) { return "first" + x; }
{ function f(x) { return "second" + x; } }
var g = async (x) => "first" + x;
if (module) { function g(x) { return "second" + x; } }
exports.f = f;
exports.g = g;
exports.both = async (x) => { await null; return (await f(x)) + (await g(x)); };
`,
      "main.mjs": `import lib from "./lib.cjs";
const { f, g, both } = lib;
async function main() {
  await null;
  for (const x of [1, 2]) console.log(await f(x), await g(x), await lib.f(x), await both(x));
}
await main();
`,
    });
  });

  it("show no symbols where the program looks for them", () => {
    run({
      "a.mjs": `export class A { async m(x) { return x; } async n() { await null; return await this.m(2); } }
export const all = (it) => Reflect.ownKeys(it).map((key) => key + "").join();
`,
      "main.mjs": `import { A, all } from "./a.mjs";
async function main() {
  await null;
  class B {}
  for (const key of Reflect.ownKeys(A.prototype)) if (!(key in B.prototype)) B.prototype[key] = A.prototype[key];
  console.log(all(A), all(A.prototype), all(B.prototype), all(A.prototype.m), await new A().m(1), await new B().n());
}
await main();
`,
    });
  });
});
