// Functions that ask for nothing: what they become at call sites, and what nobody may notice.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { pathToFileURL } from "node:url";

import { optimize } from "headstart";
import ts from "typescript";

/** Optimises a text; `expected` says of functions, by name, how they are called or why they stay. */
function optimized(body, expected, file = "calls.js") {
  const { code, functions } = optimize(`"use strict";\n${body}`, { file });
  for (const [name, what] of Object.entries(expected)) {
    const { outcome } = functions.find((it) => it.name === name);
    assert.match(outcome.kind === "converted" ? outcome.entry : outcome.reason, what, name);
  }
  return code;
}

const run = (body, expected) => new Function(optimized(body, expected))();

it("converts in place what is only awaited at once, by what has waited", async () => {
  const main = run(
    `const f = async (x) => x + 1;
     return async function main(x) {
       async function g(x) { const a = await null; return a + (x > 0 ? await f(x) : await f(1)); }
       const h = async (x) => x * 2;
       await null;
       return [await f(x), await g(x), await h(x), await h(x)];
     };`,
    { f: /inPlace/, g: /always waits/, h: /inPlace/ },
  );
  assert.deepEqual(await main(3), [4, 4, 6, 6]);
});

it("only takes ticks until it has waited", async () => {
  const main = run(
    `async function f(x) { return x > 0 ? (await f(x - 1)) + 1 : 0; }
     const g = async (x) => { const a = await f(x); return a + (await f(1)); };
     return async function main(x) { await null; return [await g(x), await g(x), await g(x)]; };`,
    { f: /beside/, g: /inPlace/ },
  );
  let ticks = 0;
  let done = false;
  const count = async () => {
    for (; !done; ticks++) await null;
  };
  const all = count();
  const result = await main(3);
  done = true;
  await all;
  assert.deepEqual(result, [4, 4, 4]);
  assert.ok(ticks < 10, `${ticks} ticks`);
});

it("leaves alone what is looked for in stacks", async () => {
  const main = run(
    `async function inner(i) {
       if (i > 1) return 1;
       const error = new Error("cut");
       Error.captureStackTrace(error, inner);
       throw error;
     }
     async function outer(i) { if (i > 5) await null; await inner(i); }
     return async function main() {
       await null;
       try { await outer(0); } catch (error) { return error.stack.split("\\n").length; }
     };`,
    { inner: /looked for in stacks/ },
  );
  assert.ok((await main()) > 1);
});

/** Callers that go on with code which what they called looks at, once it waits. */
const LOOKED_AT = {
  "a field that a constructor sets": `class Service {
      constructor() { this.ready = this.init(); this.options = { port: 80 }; }
      async init() { await this.check(); await this.check(); return this.options.port; }
      async check() {}
    }
    return new Service().ready;`,
  "a field of a class that extends another": `class Base {
      constructor() { this.ready = this.init(); }
      async init() { await this.check(); await this.check(); return this.setup(); }
      async check() {}
    }
    class Sub extends Base { name = 80; setup() { return this.name; } }
    return new Sub().ready;`,
  "a constant in its dead zone": `async function check() {}
    async function start() { await check(); await check(); return limit; }
    const job = start();
    const limit = 80;
    return job;`,
  "a constant, further down": `async function check() {}
    async function inner() { await check(); await check(); return limit; }
    async function start() { for (let i = 0; i < 3; i++) await inner(); return await inner(); }
    const job = start();
    const limit = 80;
    return job;`,
  "a constant, by a tail call": `async function check() {}
    async function inner() { await check(); await check(); return limit; }
    async function start(n) { while (n > 5) await check(n--); return inner(); }
    const job = start(0);
    const limit = 80;
    return job;`,
  "what is cached until it is there": `let n = 79;
    class Cache {
      get() { return (this.pending ??= this.load()); }
      async load() { try { return await this.read(); } finally { this.pending = undefined; } }
      async read() { return ++n; }
    }
    const cache = new Cache();
    return (async () => { await cache.read(); n = 78; await cache.get(); return cache.get(); })();`,
  "a listener that is added": `async function check() {}
    const listeners = [];
    async function open() { await check(); await check(); for (const it of listeners) it(80); }
    open();
    return new Promise((resolve) => listeners.push(resolve));`,
  "how many are at work": `async function check() {}
    let active = 0, most = 77;
    async function job() { await check(); await check(); most = Math.max(most, 77 + active); active--; }
    const all = [];
    for (let i = 0; i < 3; i++) { all.push(job()); active++; }
    return Promise.all(all).then(() => most);`,
  "a case that is fallen into, past its own test": `async function check() {}
    class Service {
      constructor(kind) { this.ready = this.init(kind); this.options = { port: 80 }; }
      async init(kind) { switch (kind) { case 1: case await check(): return await this.port(); } }
      async port() { await check(); return this.options.port; }
    }
    return (async () => { await check(); await new Service(undefined).init(); return new Service(1).ready; })();`,
  "a generator's caller": `async function check() {}
    async function* steps() { await check(); yield 1; await check(); yield limit; }
    const it = steps();
    const second = it.next().then(() => { const next = it.next(); return next.then((it) => it.value); });
    const limit = 80;
    return second;`,
};

for (const [name, body] of Object.entries(LOOKED_AT)) {
  it(`runs code behind an await when its caller is done: ${name}`, async () => {
    assert.equal(await run(body, {}), 80);
  });
}

it("waits at the top of a module, too, before it calls what is fast", async () => {
  const folder = mkdtempSync(join(tmpdir(), "headstart-top-"));
  try {
    const text = `import { log } from "./log.mjs";
      async function check() {}
      async function start(n) { await check(); await check(); log.push(n); }
      for (let i = 0; i < 3; i++) await start(i);
      await start(3);`;
    const { code } = optimize(text, { file: "top.mjs" });
    writeFileSync(join(folder, "log.mjs"), "export const log = [];");
    writeFileSync(join(folder, "top.mjs"), code);
    writeFileSync(
      join(folder, "beside.mjs"),
      `import { log } from "./log.mjs"; log.push("beside");`,
    );
    writeFileSync(
      join(folder, "main.mjs"),
      `import "./top.mjs"; import "./beside.mjs"; export { log } from "./log.mjs";`,
    );
    const { log } = await import(pathToFileURL(join(folder, "main.mjs")).href);
    assert.deepEqual(log, ["beside", 0, 1, 2, 3]);
    assert.match(code, /start\$fast\(i\) : \$noted\(start\(i\)\)/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("keeps what escapes an async function", async () => {
  const { f, g, h } = run(
    `async function f(a, b = fail(), { c } = {}) { return a; }
     const g = async (a) => { if (a) throw new Error("thrown"); return 1; };
     let h = async function (...rest) { return [this?.k, rest.length, arguments.length]; };
     function fail() { throw new Error("no default"); }
     async function main() { await null; await f(1, 2); await g(0); return await h(1); }
     return { f, g, h, main };`,
    { f: /beside/, g: /beside/, h: /beside/ },
  );
  for (const it of [f, g, h]) assert.equal(it.constructor.name, "AsyncFunction");
  assert.deepEqual(
    [f.name, f.length, g.name, g.length, h.name, h.length],
    "f 1 g 1 h 0".split(" ").map((it) => (/\d/.test(it) ? Number(it) : it)),
  );
  assert.ok(f(1, 2) instanceof Promise);
  await assert.rejects(f(1), /no default/);
  await assert.rejects(g(1), /thrown/);
  assert.deepEqual(await h.call({ k: 7 }, 1, 2), [7, 2, 2]);
});

it("adopts what is awaited in a `return` that only the twin runs, where calls are counted", async () => {
  const odd = Promise.resolve("odd");
  odd.then = (...list) => Promise.prototype.then.call(Promise.resolve("own"), ...list);
  globalThis.oddOfTest = odd;
  const { main } = run(
    `const odd = globalThis.oddOfTest;
     async function f() { return [((y) => y)(await g(0))]; }
     async function g(p) { if (!p) return odd; if (p > 1) await null; await f(); }
     async function main() { await null; await g(1); return [await f(), await g(0)]; }
     return { main };`,
    { f: /inPlace|beside/, g: /inPlace|beside/ },
  );
  assert.deepEqual(await main(), [["own"], "own"]);
  delete globalThis.oddOfTest;
});

it("runs a `finally` that awaits behind a `return` that only the twin runs", async () => {
  const { main } = run(
    `const log = [];
     const g = async (x) => { if (x > 5) await null; return x; };
     async function f(p) {
       if (!p) return 0;
       try { return [((y) => y)(await g(p))]; } finally { log.push(await g(9)); log.push("finally"); }
     }
     async function main() { await null; log.push(await f(1), await f(0), await f(7)); return log; }
     return { main };`,
    { f: /inPlace|beside/, g: /inPlace|beside/ },
  );
  assert.deepEqual(await main(), [9, "finally", 9, "finally", [1], 0, [7]]);
});

it("converts private methods, whatever holds their class", async () => {
  const C = run(
    `return class C {
       #k = 1;
       async #one(x) { return x > 0 ? this.#two(x - 1) : this.#k; }
       async #two(x) { const a = await this.#one(x); return a + this.#k; }
       static async #three(x) { return x; }
       async run(x) { return [await this.#one(x), await this.#two(x), await C.#three(x)]; }
       has(o) { return #one in o; }
     };`,
    { one: /beside/, two: /beside/, three: /inPlace/ },
  );
  assert.deepEqual(await new C().run(4), [5, 6, 4]);
  assert.equal(new C().has(new C()), true);
});

it("leaves a private method alone that is used as a value", () => {
  optimized(
    `class C { async #m(x) { return x; } async run() { await this.#m(1); return [1].map(this.#m); } }`,
    { m: /used as a value/ },
  );
});

const METHODS = `class A {
    constructor() { this.k = 1; }
    async m(x) { return this.k + x; }
    static async s(x) { return x; }
    async run(x) { let sum = 0; for (let i = 0; i < 3; i++) sum += await this.m(x); return sum; }
    async outer(x) { await null; return (await this.run(x)) + (await A.s(x)); }
  }
  class B extends A { async m(x) { return 100; } }`;

it("calls fast methods, and what overrides them", async () => {
  const { A, B } = run(
    `${METHODS} async function f() { return new A().outer(1); } return { A, B, f };`,
    {
      m: /beside/,
      s: /beside/,
      run: /beside/,
    },
  );
  assert.equal(await new A().outer(1), 7);
  assert.equal(await new B().outer(1), 301);
  assert.deepEqual(Object.getOwnPropertyNames(A.prototype), ["constructor", "m", "run", "outer"]);
  assert.deepEqual(Reflect.ownKeys(new A()), ["k"]);
  assert.equal(A.prototype.m.constructor.name, "AsyncFunction");
});

it("sees methods that were patched, wrapped, borrowed or are proxies", async () => {
  const { A } = run(`${METHODS} return { A };`, {});
  const original = A.prototype.m;
  const sum = async (m) => {
    A.prototype.m = m;
    return new A().run(1);
  };
  assert.equal(await sum(() => 5), 15);
  assert.equal(await sum(async () => 5), 15);
  assert.equal(await sum(new Proxy(original, { apply: () => 6 })), 18);
  assert.equal(await sum(new Proxy(original, { get: () => assert, apply: () => 6 })), 18);
  const copy = Object.defineProperties(() => 7, Object.getOwnPropertyDescriptors(original));
  assert.equal(await sum(copy), 21);
  assert.equal(await sum(Object.setPrototypeOf(() => 8, original)), 24);
  assert.equal(await sum(original.bind({ k: 8 })), 27);
  assert.equal(await sum(Object.assign(() => 9, { call: () => 0, apply: () => 0 })), 27);
  await assert.rejects(sum(undefined), TypeError);
  assert.equal(await sum(Object.freeze(original)), 6);
  assert.equal(await A.prototype.run.call({ k: 2, m: original }, 1), 9);
});

it("reads a method once, in front of the arguments", async () => {
  const log = run(
    `class A { async m(x) { return x; } }
     const log = [], it = { get m() { log.push("m"); return A.prototype.m; } };
     async function f() { await new A().m(1); return (log.push("it"), it).m(log.push("x")); }
     async function main() { await null; await f(); return log; }
     return main();`,
    { m: /beside/, f: /inPlace/ },
  );
  assert.deepEqual(await log, ["it", "m", "x"]);
});

it("leaves alone what some tool takes elsewhere, and what may change", () => {
  const kept = (text, reason, file) => optimized(text, { f: reason }, file);
  kept(
    `async function f() { "use server"; return 1; } async function g() { await f(); }`,
    /directive/,
  );
  kept(`async function f() { return 1; } async function g() { await f(); } f = g;`, /assigned/);
  kept(`async function f() { return 1; } async function g() { await f(); }`, /global/);
  kept(`const f = async () => 1; async function g() { await f(); eval("f"); }`, /eval/);
  kept(`const f = async () => 1; async function g() { await f(); send(f.toString()); }`, /text/);
  const text = `const f = async () => 1; async function g() { await null; await f(); await page.evaluate(async () => { await f(); }); }`;
  assert.match(optimized(text, { f: /beside/ }), /evaluate\(async \(\) => \{ await f\(\); \}\)/);
  kept(
    `const f = async () => { await fetch("x"); }; async function g() { await null; await f(); }`,
    /always waits/,
  );
  kept(`const f = async () => 1; async function g() { await f(); }`, /has not waited/);
});

it("keeps the dead zone of constants", async () => {
  const main = run(
    `const main = async () => { try { return await f(); } catch (e) { return e.name; } };
     const early = main();
     const f = async () => 1;
     return async () => [await early, await main(), await f()];`,
    { f: /beside/ },
  );
  assert.deepEqual(await main(), ["ReferenceError", 1, 1]);
});

it("does not catch what is returned in try", async () => {
  const main = run(
    `async function f() { throw new Error("rejected"); }
     return async function main() { try { return f(); } catch { return "caught"; } };`,
    {},
  );
  await assert.rejects(main(), /rejected/);
});

it("lets others run while functions that stay async poll", async () => {
  const poll = run(
    `const check = async (state) => state.done;
     return async function poll(state) { while (!(await check(state))); return "done"; };`,
    { check: /beside/, poll: /no name/ },
  );
  const state = { done: false };
  Promise.resolve()
    .then(() => undefined)
    .then(() => (state.done = true));
  assert.equal(await poll(state), "done");
});

it("leaves semicolons to the reader", async () => {
  const main = run(
    `const f = async (x) => x
     return async function main() {
       let a = 0
       await null
       await f(1)
       a = await f(2)
       for (const it of [1, 2]) if (it > 1) await f(it)
       else a += await f(it)
       await f(1), a++
       return a
     }`,
    { f: /inPlace/ },
  );
  assert.equal(await main(), 4);
});

it("serves modules that import one another, in cycles, too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "headstart-sites-"));
  try {
    const text = (other) => `import { even as other } from "./${other}.mjs";
      export async function odd(n) { return n === 0 ? false : other(n - 1); }
      export const even = async (n) => (n === 0 ? true : await odd2(n - 1));
      const odd2 = async (n) => (n === 0 ? false : await even(n - 1));
      export async function both(n) { return [await odd(n), await even(n)]; }
      export const early = other.name;
      export default async function (n) { return await both(n); }`;
    for (const [name, other] of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      const source = text(other).replace(name === "b" ? "other.name" : "''", "''");
      const { code } = optimize(source, { file: `${name}.mjs` });
      writeFileSync(join(folder, `${name}.mjs`), code);
    }
    const module = await import(pathToFileURL(join(folder, "a.mjs")).href);
    assert.deepEqual(Object.keys(module), ["both", "default", "early", "even", "odd"]);
    assert.deepEqual(await module.default(4), [false, true]);
    assert.equal(module.early, "even");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("is off where only directives or exact ticks are wanted", () => {
  const text = `const f = async () => 1; async function g() { await f(); }`;
  assert.equal(optimize(text, { functions: "directives" }).code, text);
  assert.equal(optimize(text, { ticks: "exact" }).code, text);
});

it("takes no longer for each method where many classes have methods of the same names", () => {
  const classes = Array.from(
    { length: 4_000 },
    (_, index) => `class A${index} {
      async m(x) { await null; return await this.n(x); }
      async n(x) { if (x) return x; return await x; }
    }`,
  );
  const begin = performance.now();
  const { functions } = optimize(`module.exports = 1;\n${classes.join("\n")}`, {
    file: "many.cjs",
  });
  const seconds = (performance.now() - begin) / 1000;
  assert.equal(functions.filter((it) => it.outcome.kind === "converted").length, 4_000);
  // Less than one, where it was 27.
  assert.ok(seconds < 8, `${seconds} s`);
});

/** What TypeScript makes of a text with decorators, for one target. */
function compiled(code, target, experimentalDecorators) {
  const module = ts.ModuleKind.ESNext;
  const compilerOptions = { target: ts.ScriptTarget[target], module, experimentalDecorators };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

it("leaves the methods of classes with decorators", async () => {
  const folder = mkdtempSync(join(tmpdir(), "headstart-decorators-"));
  const source = `function logged(C: any): any {
    const m = C.prototype.m;
    C.prototype.m = async function (x: number) { return ["put there", await m.call(this, x)]; };
  }
  @logged class B {
    private kept = new Map<number, string>([[1, "one"]]);
    async m(x: number): Promise<unknown> { return this.kept.get(x) ?? (await this.load(x)); }
    async k(x: number): Promise<unknown> { return await this.m(x); }
    private async load(x: number): Promise<string> { await null; return "loaded " + x; }
  }
  const b = new B();
  async function both(): Promise<unknown> { return [await b.k(1), await b.k(2)]; }
  async function main(): Promise<unknown> { await null; return await both(); }
  export const result = await main();`;
  try {
    for (const isOld of [true, false]) {
      const { code } = optimize(source, { file: "decorated.ts" });
      for (const target of ["ES2017", "ES2021", "ES2022"]) {
        const file = join(folder, `${target}-${isOld}.mjs`);
        writeFileSync(file, compiled(code, target, isOld));
        const { result } = await import(pathToFileURL(file));
        const expected = [
          ["put there", "one"],
          ["put there", "loaded 2"],
        ];
        assert.deepEqual(result, expected, `${target}, ${isOld ? "old" : "standard"} decorators`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("keeps twins inside of classes that run code while they are made", async () => {
  for (const ticks of ["relaxed", "exact"]) {
    const body = `return class Config {
      static files = ["a", "b"];
      static ready = (async () => await Config.load())();
      static async load() {
        "perhaps async";
        const all = [];
        for await (const it of Config.files) all.push(it);
        return all;
      }
    };`;
    const { code, functions } = optimize(`"use strict";\n${body}`, { file: "early.js", ticks });
    const load = functions.find((it) => it.name === "load");
    assert.equal(load.outcome.kind, "converted");
    const Config = new Function(code)();
    assert.deepEqual(await Config.ready, ["a", "b"]);
  }
});

it("awaits what a function converted in place gives as it is, whatever has replaced `then` of all promises", async () => {
  const main = run(
    `const { then } = Promise.prototype;
     let calls = 0;
     async function listed(f) { return [await f()]; }
     class Box { async #listed(f) { return [await f()]; } async get(f) { await null; return await this.#listed(f); } }
     return async function main() {
       await null;
       async function inner(f) { const it = await f(); for (const x of [it]) return x + 1; }
       const f = async () => { await null; return 5; };
       Promise.prototype.then = function (...list) { calls += 1; return then.apply(this, list); };
       try { return [await listed(f), await inner(f), await new Box().get(f), calls]; }
       finally { Promise.prototype.then = then; }
     };`,
    { listed: /inPlace/, inner: /inPlace/ },
  );
  assert.deepEqual(await main(), [[5], 6, [5], 0]);
});

it("gives private names that nothing else of the class has", async () => {
  const main = run(
    `class Box {
       #sum$rest = 4;
       async #sum(x) { if (x > 3) return x; return (await this.#sum(x + 1)) + 1; }
       async #sum$fast(x) { return x; }
       async go() { await null; return [await this.#sum(0), await this.#sum$fast(2), this.#sum$rest]; }
     }
     return async () => await new Box().go();`,
    {},
  );
  assert.deepEqual(await main(), [8, 2, 4]);
});
