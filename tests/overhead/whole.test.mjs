// Folders optimised as whole programs: what they print stays the same, and calls from file to file are fast.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { run } from "./run-whole.mjs";

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

  it("of what always waits stay as they are, and so do those of what only awaits that", () => {
    const { texts, report } = run({
      "disk.mjs": `const tick = () => new Promise((resolve) => setImmediate(resolve));
export async function read(name) { await tick(); return name.length; }
export class Disk {
  async size(name) { for (const it of [name]) { try { return await read(it); } finally { await tick(); } } }
  async later() { return new Promise((resolve) => { setImmediate(() => { resolve(); queueMicrotask(() => this.n++); }); }); }
  n = 0;
  async sizeOrNone(name) { return name ? await this.size(name) : 0; }
}
`,
      "main.mjs": `import { Disk, read } from "./disk.mjs";
async function twice(disk, name) { return 2 * (await disk.size(name)); }
async function main() {
  const disk = new Disk();
  let sum = await read("a");
  for (const it of ["bc", "", "def"]) sum += (await twice(disk, it)) + (await disk.sizeOrNone(it));
  for (let i = 0; i < 2; i++) { await disk.later(); sum += 100 * disk.n; }
  return sum;
}
console.log(await main());
`,
    });
    assert.match(report, /disk\.mjs:5:\d+ later: kept: it always waits for something/);
    assert.match(report, /disk\.mjs:2:\d+ read: kept: it always waits for something/);
    assert.match(report, /disk\.mjs:4:\d+ size: kept: it always waits for something/);
    assert.match(report, /disk\.mjs:7:\d+ sizeOrNone: converted/);
    assert.match(report, /main\.mjs:2:\d+ twice: kept: it always waits for something/);
    assert.match(texts["main.mjs"], /await read\("a"\);/);
    assert.match(texts["main.mjs"], /await twice\(disk, it\)/);
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

  // Where the stack is nearly used up, a promise that was given before must not be lost: nobody would handle it.
  const withoutEnd = {
    "functions that call one another": `export async function f(n) { if (n.x) await n; return 1 + await g(n); }
async function g(n) { return 1 + await f(n); }`,
    "methods of an object": `export const f = (n) => o.m(n);
const o = {
  async m(n) { if (n.x) await n; return 1 + await this.k(n); },
  async k(n) { return 1 + await this.m(n); },
};`,
    "methods of a class": `export const f = (n) => new C().m(n);
class C {
  async m(n) { if (n.x) await n; return 1 + await this.k(n); }
  async k(n) { return 1 + await this.m(n); }
}`,
  };
  for (const [what, text] of Object.entries(withoutEnd)) {
    it(`end recursion without an end as before: ${what}`, () => {
      run({
        "lib.mjs": text,
        "main.mjs": `import { f } from "./lib.mjs";
async function main() { try { console.log(await f({})); } catch (error) { console.log("caught", error.name); } }
main().then(() => console.log("done"));
`,
      });
    });
  }

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
