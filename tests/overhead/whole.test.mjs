// Folders optimised as whole programs: what they print stays the same, and calls from file to file are fast.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../packages/headstart/dist/cli.js", import.meta.url));

let folder;
before(() => (folder = mkdtempSync(path.join(tmpdir(), "headstart-whole-test-"))));
after(() => rmSync(folder, { recursive: true, force: true }));

let number = 0;

/** Runs `main` of some files before and after; gives what was printed, the new texts and the report. */
function run(files, main = "main.mjs") {
  number += 1;
  const [from, to] = ["from", "to"].map((it) => path.join(folder, `${it}-${number}`));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(from, name)), { recursive: true });
    writeFileSync(path.join(from, name), text);
  }
  const report = node([CLI, "optimize", from, "-o", to, "--report"]);
  const printed = node([path.join(to, main)]);
  assert.equal(printed, node([path.join(from, main)]));
  const texts = Object.keys(files).map((name) => [name, readFileSync(path.join(to, name), "utf8")]);
  return { printed, report, texts: Object.fromEntries(texts) };
}

const node = (args) => execFileSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });

describe("calls from file to file", () => {
  it("of a name that is imported, from the second on", () => {
    const { texts, report } = run({
      "lib.mjs":
        "export async function size(x) { if (!x) throw new Error(`none of ${x}`); return x.length; }\nexport const twice = async (x) => 2 * (await size(x));\n",
      "main.mjs": `import { size, twice as two } from "./lib.mjs";
import * as lib from "./lib.mjs";
async function main() {
  let sum = 0;
  for (const it of ["a", "bc"]) sum += (await size(it)) + (await two(it)) + (await lib.size(it));
  try { await size(""); } catch (error) { console.log(error.message); }
  return sum;
}
console.log(await main(), size.name, two.name, size.constructor.name, size("a") instanceof Promise);
`,
    });
    assert.match(texts["main.mjs"], /\$held\(/);
    assert.match(report, /lib\.mjs:1:\d+ size: converted/);
    assert.match(report, /lib\.mjs:2:\d+ twice: converted/);
  });

  it("of methods of classes that another file makes, overridden and replaced ones among them", () => {
    const { report } = run({
      "shapes.mjs": `export class Shape {
  constructor(k) { this.k = k; }
  async area() { return this.k; }
  async twice() { return 2 * (await this.area()); }
  static async of(k) { return new this(k); }
}
export class Square extends Shape { async area() { return this.k * (await super.area()); } }
`,
      "main.mjs": `import { Shape, Square } from "./shapes.mjs";
async function all(shapes) {
  const found = [];
  for (const it of shapes) found.push(await it.area(), await it.twice());
  return found;
}
async function main() {
  const shapes = [await Shape.of(2), await Square.of(3)];
  class Odd extends Square { area() { return Promise.resolve(7); } }
  shapes.push(await Odd.of(1), new Proxy(shapes[1], {}), { area: () => 5, twice: async () => 6 });
  console.log((await all(shapes)).join());
  shapes[0].area = async () => 9;
  Square.prototype.twice = Square.prototype.twice.bind(shapes[0]);
  console.log((await all(shapes)).join());
  Shape.prototype.area = async function mock() { return this.k + 100; };
  console.log((await all(shapes)).join());
}
await main();
`,
    });
    assert.match(report, /area: converted/);
    assert.match(report, /of: converted/);
  });

  it("of methods whose variables closures write, which hand over in between and are called side by side", () => {
    const { report, printed } = run({
      "bag.mjs": `export class Bag {
  constructor(list) { this.list = list; }
  async each(f) { for (const it of this.list) await f(it); }
  async sum(start) {
    let sum = start, count = 0;
    const add = (n) => { sum += n; count += 1; };
    await this.each(async (it) => { add(await it); });
    this.peek = () => [sum, count].join();
    add(100);
    await this.each(async (it) => { start = it; });
    return sum + ":" + count + ":" + typeof start;
  }
}
`,
      "main.mjs": `import { Bag } from "./bag.mjs";
const later = (n) => new Promise((resolve) => setTimeout(resolve, 5 - n, n));
async function main() {
  const bags = [new Bag([1, 2]), new Bag([later(1), 2, later(3)]), new Bag([{ then(f) { f(4); } }])];
  await null;
  for (const it of bags) console.log(await it.sum(0), it.peek());
  const both = await Promise.all(bags.map(async (it) => { await null; return await it.sum(7); }));
  console.log(both.join(), bags.map((it) => it.peek()).join());
}
await main();
`,
    });
    assert.match(report, /sum: converted/);
    assert.match(printed, /^103:3:number 103,3$/m);
  });

  // What a program makes by another name is not known to be a proxy.
  const MAKERS = [
    ["known", "Proxy"],
    ["not known", 'globalThis["Pro" + "xy"]'],
  ];
  for (const [what, maker] of MAKERS)
    it(`of what only seems to have a fast method: ${what} proxies, nothing, what gives now this and now that`, () => {
      const { report } = run({
        "door.mjs": `export class Door {
  constructor(open) { this.open = open; }
  async isOpen() { return this.open === true; }
  async close() { this.open = false; }
}
`,
        "main.mjs": `import { Door } from "./door.mjs";
const seen = [], Maker = ${maker};
const wrapping = (target) => new Maker(target, { get(of, key) {
  const got = of[key];
  if (typeof got !== "function") return got;
  seen.push(key);
  return async (...list) => [await got.apply(of, list)];
} });
const anything = new Maker({}, { get: (_, key) => (key === "then" ? undefined : async () => String(key)) });
const nothing = new Maker({ isOpen: async () => "own" }, { get: (of, key) => of[key] ?? null });
const thenable = Object.assign(() => {}, { then(f) { f("called"); } });
async function main() {
  const doors = [new Door(true), wrapping(new Door(false)), anything, nothing, { isOpen: () => thenable },
    { isOpen: async () => thenable }, { isOpen: () => ({ then(f) { f("object"); } }) }, null, undefined, {}, 5];
  await null;
  for (const it of doors) {
    try { console.log(await it.isOpen()); } catch (error) { console.log(error.constructor.name, it ? "" : error.message); }
  }
  doors[0].isOpen = () => Promise.resolve(thenable);
  console.log(await doors[0].isOpen(), await doors[0].close(), doors[0].open);
  console.log(seen.filter((it) => typeof it === "string").join());
}
await main();
`,
      });
      assert.match(report, /isOpen: converted/);
    });

  it("of proxies that log what is read of them, of shallow and deep ones", () => {
    const { printed } = run({
      "service.mjs": `export class Service {
  constructor(store) { this.store = store; }
  async get(key) { return await this.store.find(key); }
  async all(f) { for (const it of [1, 2]) await f(it); return await this.get("a"); }
}
export class Store { async find(key) { return key + key; } }
`,
      "main.mjs": `import { Service, Store } from "./service.mjs";
const logged = (it, isDeep) => new Proxy(it, {
  get(of, key, self) {
    console.log(\`get \${key}\`, key.startsWith("g"));
    const got = Reflect.get(of, key, self);
    return isDeep && typeof got === "function" ? logged(got, true) : got;
  },
  has(of, key) { console.log("has", key); return key in of; },
  apply(f, self, list) { console.log("apply"); return Reflect.apply(f, self, list); },
  getPrototypeOf(of) { console.log("prototype"); return Object.getPrototypeOf(of); },
});
async function main(service) {
  await null;
  for (const it of [1, 2]) console.log(await service.get(it));
  return await service.all(async (x) => { console.log(x, await service.get(x)); });
}
for (const isDeep of [false, true]) console.log(await main(logged(new Service(logged(new Store(), isDeep)), isDeep)));
`,
    });
    assert.doesNotMatch(printed, /Symbol/);
  });

  const LOCKS = [
    [
      "the global object takes nothing more",
      "globalThis.calls = 0;\nObject.preventExtensions(globalThis);\n",
    ],
    [
      "`then` of all promises is another",
      `const then = Promise.prototype.then;
globalThis.calls = 0;
Promise.prototype.then = function (...list) { globalThis.calls++; return then.apply(this, list); };
`,
    ],
  ];
  for (const [what, text] of LOCKS)
    it(`where ${what}`, () => {
      run({
        "lock.mjs": text,
        "service.mjs": `export class Service {
  async wait(x) { return await x; }
  async both(x) { return (await this.wait(x)) + (await this.wait(x)); }
}
export const each = async (all, f) => { let sum = 0; for (const it of all) sum += await f(it); return sum; };
`,
        "main.mjs": `import "./lock.mjs";
import { Service, each } from "./service.mjs";
async function main() {
  await null;
  const service = new Service();
  const results = [];
  for (const it of [1, Promise.resolve(2)]) {
    globalThis.calls = 0;
    results.push(await service.both(it), await each([it, 3], async (x) => await service.wait(x)), globalThis.calls);
  }
  return results;
}
console.log(await main());
`,
      });
    });

  it("of functions that are frozen", () => {
    const { report } = run({
      "main.mjs": `async function size(x) { return x.length; }
async function sizes(all) { let sum = 0; for (const it of all) sum += await size(it); return sum; }
class Sizes { static async of(all) { return await sizes(all); } }
Object.freeze(size);
Object.preventExtensions(Sizes);
Object.freeze(Sizes.prototype);
async function main() { await null; console.log(await Sizes.of(["a", "bc"]), await size("d"), Object.isFrozen(size)); }
await main();
`,
    });
    assert.match(report, /size: converted/);
  });

  it("of what cannot be called, or gives itself for every key: errors name what they can, and nothing is passed twice", () => {
    const { texts } = run({
      "lists.mjs": `export class List {
  constructor(all) { this.all = all; }
  async each(f) { for (const it of this.all) await f(it); }
  async size() { return this.all.length; }
}
`,
      "main.mjs": `import { List } from "./lists.mjs";
const seen = [];
const odd = new globalThis["Pro" + "xy"](function () {}, {
  get: (_, key) => (key === "then" ? undefined : odd),
  apply: (_, that, list) => void seen.push(list.length),
});
async function main(lists, what) {
  const messages = [];
  for (const it of lists) {
    try {
      await it.each(async (x) => { seen.push(x); await it.size(); });
      seen.push(await it.size());
    } catch (error) { messages.push(error instanceof TypeError, /is not a function$/.test(error.message), /call/.test(error.message)); }
    try { await it.size(await it.size()); } catch (error) { messages.push(/ is not a function$/.test(error.message)); }
    try { await what(it); } catch (error) { messages.push(error instanceof TypeError, /call/.test(error.message)); }
  }
  return messages;
}
console.log(await main([new List([1, 2]), odd, { each: 1 }]), seen.map(String));
`,
    });
    assert.match(texts["main.mjs"], /headstart\.fast\.each\(0\)/);
  });

  it("of functions that are passed on, stored and given back, which keep their names and kinds", () => {
    const { report, texts } = run({
      "takers.mjs": `export async function each(list, f) { for (const it of list) await f(it); }
export class Task { constructor(run) { this.run = run; } async start(x) { return await this.run(x); } }
export const wrap = (f) => async (x) => { const got = await f(x); return got + 1; };
`,
      "main.mjs": `import { each, Task, wrap } from "./takers.mjs";
async function main() {
  let sum = 0;
  const add = async (x) => { sum += x; };
  await each([1, 2], add);
  await each([3], async (x) => { sum += x; });
  await each([4], async function named(x) { sum += x; });
  await each([5], add.bind(null));
  await each([6], (x) => { sum += x; });
  const task = new Task(async (x) => x * 2);
  const table = { double: async (x) => 2 * x, async short(x) { return x; } };
  sum += (await task.start(4)) + (await wrap(table.double)(5)) + (await wrap(table.short)(6));
  console.log(sum, add.name, task.run.name, table.double.name, task.run.constructor.name, add.length);
  console.log(add(1) instanceof Promise, Object.keys(add).length);
}
await main();
`,
    });
    assert.match(report, /add: converted/);
    assert.match(report, /run: converted|double: converted/);
    assert.match(texts["main.mjs"], /\$mark\(/);
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

describe("whole programs", () => {
  it("recurse before their first wait about as deep as before", () => {
    run({
      "tree.mjs": `export class Tree {
  constructor(value, below) { this.value = value; this.below = below; }
  async each(f) { for (const it of this.below) await it.each(f); await f(this.value); }
}
`,
      "main.mjs": `import { Tree } from "./tree.mjs";
let tree = new Tree(0, []), sum = 0;
for (let level = 1; level <= 3000; level++) tree = new Tree(level, [tree]);
await tree.each(async (x) => { sum += x; });
console.log(sum);
(async () => { await null; await new Tree(1, []).each(async (x) => { sum += x; }); console.log(sum); })();
`,
    });
  });

  it("survive recursion by way of other files, as deep as before", () => {
    const { printed, texts } = run({
      "pass.mjs": "export async function pass(x) { return x; }\n",
      "even.mjs":
        'import { odd } from "./odd.mjs";\nimport { pass } from "./pass.mjs";\nexport async function even(n, f) { await pass(n); return n === 0 ? f(n) : 1 + (await odd(n - 1, f)); }\n',
      "odd.mjs":
        'import { even } from "./even.mjs";\nimport { pass } from "./pass.mjs";\nexport async function odd(n, f) { await pass(n); return n === 0 ? f(n) : 1 + (await even(n - 1, f)); }\n',
      "main.mjs": `import { even } from "./even.mjs";
await null;
async function main() { await null; return await even(20_000, (n) => n); }
console.log(await main());
`,
    });
    assert.equal(printed, "20000\n");
    assert.match(texts["even.mjs"], /headstart\.depth/);
  });

  it("survive recursion by way of functions that are passed on", () => {
    const { printed } = run({
      "lib.mjs": "export async function apply(f, n) { return await f(n); }\n",
      "main.mjs": `import { apply } from "./lib.mjs";
const pass = async (x) => x;
const down = async (n) => (await pass(n)) === 0 ? 0 : 1 + (await apply(down, n - 1));
const walk = async (n) => (await pass(n)) === 0 ? 0 : 1 + (await apply(async (m) => await walk(m), n - 1));
async function main() { await null; return [await down(20_000), await walk(10_000)].join(); }
console.log(await main());
`,
    });
    assert.equal(printed, "20000,10000\n");
  });

  it("survive recursion by way of methods of what is not known, and of values that many hold", () => {
    const { printed } = run({
      "lib.mjs": `export const held = {};
export const pass = async (x) => x;
export const apply = async (f, n) => ((await pass(n)) === 0 ? 0 : 1 + (await f(f, n - 1)));
export async function each(list, fn) { for (const it of list) await fn(it); }
export class Node {
  constructor(n) { this.n = n; }
  async next() { return new Node(this.n - 1); }
  async down() { return this.n === 0 ? 0 : 1 + (await (await this.next()).down()); }
}
`,
      "main.mjs": `import { apply, each, held, Node, pass } from "./lib.mjs";
class A {
  constructor(other) { this.other = other; }
  async go(n) { return (await pass(n)) === 0 ? 0 : 1 + (await this.other.go(n - 1)); }
}
class B extends A {
  async go(n) { return (await pass(n)) === 0 ? 0 : 1 + (await this.other.go(n - 1)); }
}
const a = new A();
a.other = new B(a);
const again = async (f, n) => ((await pass(n)) === 0 ? 0 : 1 + (await apply(f, n - 1)));
async function top(n) { return (await pass(n)) === 0 ? 0 : 1 + (await held.f(n - 1)); }
held.f = async (n) => ((await pass(n)) === 0 ? 0 : 1 + (await top(n - 1)));
async function main() {
  await null;
  let count = 0;
  const step = async (n) => { count++; if ((await pass(n)) > 0) await each([n - 1], step); };
  await each([20_000], step);
  return [await a.go(20_000), await apply(again, 20_000), await top(20_000), await new Node(20_000).down(), count].join();
}
console.log(await main());
`,
    });
    assert.equal(printed, "20000,20000,20000,20000,20001\n");
  });

  it("that import one another in a cycle find what is not there yet as before", () => {
    run({
      "a.cjs": `exports.first = async (x) => { const b = require("./b.cjs"); return "a" + (await b.second(x)); };
const b = require("./b.cjs");
exports.ready = b.started;
`,
      "b.cjs": `const a = require("./a.cjs");
async function second(x) { return x > 0 ? await a.first(x - 1) : "end"; }
const started = (async () => { try { return await second(1); } catch (error) { return error.constructor.name; } })();
module.exports = { second, started };
`,
      "main.mjs": 'import a from "./a.cjs";\nconsole.log(await a.ready, await a.first(3));\n',
    });
  });

  it("run no code behind an await in the middle of a caller that has not waited", () => {
    run({
      "service.mjs": `export class Service {
  constructor() { this.ready = this.init(); this.options = { port: 80 }; }
  async init() { await this.check(); return this.options.port; }
  async check() {}
}
`,
      "main.mjs": `import { Service } from "./service.mjs";
const later = async (f) => await f();
async function main() {
  const log = [];
  for (const round of [1, 2]) {
    const open = later(async () => { log.push("begins"); await null; log.push("goes on"); });
    log.push("behind " + round);
    await open;
    log.push(await new Service().ready);
  }
  return log.join();
}
console.log(await main());
`,
    });
  });

  it("load a module twice, and let other microtasks run while they poll", () => {
    run(
      {
        "lib.cjs":
          "let done = false;\nexports.finish = () => { done = true; };\nexports.isDone = async () => done;\nexports.count = async (list) => list.length;\n",
        "main.cjs": `const first = require("./lib.cjs");
delete require.cache[require.resolve("./lib.cjs")];
const second = require("./lib.cjs");
async function main() {
  await null;
  Promise.resolve().then(() => Promise.resolve().then(first.finish));
  while (!(await first.isDone())) await second.count([1]);
  console.log(await first.isDone(), await second.isDone(), first.count === second.count);
}
main();
`,
      },
      "main.cjs",
    );
  });
});
