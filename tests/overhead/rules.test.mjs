// Rules of the optimiser that random functions do not reach: liveness, depth, methods, languages.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { it } from "node:test";
import { createContext, runInContext } from "node:vm";

import { optimize } from "headstart";

/** Runs a module's text, optimised; all its functions have to be converted. */
function run(body, options) {
  const { code, functions } = optimize(`"use strict";\n${body}`, { file: "rules.js", ...options });
  for (const { name, outcome } of functions) assert.equal(outcome.kind, "converted", name);
  return new Function(code)();
}

it("gives back plain values where nothing is waited for", () => {
  const f = run(`return async function f(x) { "perhaps async"; return (await x) + 1; }`);
  assert.equal(f(1), 2);
});

it("waits for promises", async () => {
  const f = run(`return async function f(x) { "perhaps async"; return (await x) + 1; }`);
  assert.equal(await f(Promise.resolve(1)), 2);
});

it("takes the directive as a template, too", () => {
  const f = run("return async function f(x) { `perhaps async`; return (await x) + 1; }");
  assert.equal(f(1), 2);
});

it("rejects where the function would have rejected, defaults included", async () => {
  const f = run(`return async function f(x = fail()) { "perhaps async"; return x; }
    function fail() { throw new Error("no default"); }`);
  assert.equal(f.length, 0);
  await assert.rejects(f(), /no default/);
});

it("waits for thenables that are functions", async () => {
  const f = run(`return async function f(x) { "perhaps async"; return (await x) + 1; }`);
  const thenable = Object.assign(() => undefined, { then: (resolve) => resolve(41) });
  assert.equal(await f(thenable), 42);
});

it("lets others run while it polls", async () => {
  const poll = run(`return async function poll(state) {
    "perhaps async";
    while (!state.done) await state.check();
    return "done";
  }`);
  const state = { done: false, check: () => undefined };
  Promise.resolve()
    .then(() => undefined)
    .then(() => (state.done = true));
  assert.equal(await poll(state), "done");
});

it("goes 20,000 calls deep", async () => {
  const down = run(`return down;
    async function down(n) { "perhaps async"; return n === 0 ? 0 : 1 + (await down(n - 1)); }`);
  await null;
  assert.equal(await down(20_000), 20_000);
});

it("goes 20,000 calls deep through methods", async () => {
  const chain = run(`class Node { async down(n) {
      "perhaps async";
      if (n === 0) return 0;
      const below = await this.down(n - 1);
      return below + 1;
    } }
    return new Node();`);
  assert.equal(await chain.down(20_000), 20_000);
});

it("keeps this, super, private names, arguments and accessors", async () => {
  const object = run(`class Base { async m(x) { "perhaps async"; return (await x) + 1; } }
    class Derived extends Base {
      #secret = 10;
      static async make() { "perhaps async"; return new this(); }
      async m(x) { "perhaps async"; return (await super.m(x)) + this.#secret + (await x) + arguments.length; }
      ["computed"] = async () => { "perhaps async"; return (await this.m(1)) + this.#secret; };
    }
    return Derived;`);
  const instance = await object.make();
  assert.equal(instance.m(1), 14);
  assert.equal(await instance.m(Promise.resolve(1)), 14);
  assert.equal(await instance.computed(), 24);
});

it("takes apart what the head of a loop does, each round with a binding of its own", async () => {
  const f = run(`return async function f(x, kept) {
    "perhaps async";
    const seen = [];
    for (let [i = 1] = [x.first]; i < 3; i++) { kept.push(() => i); seen.push(await i); await x; }
    for (let { n = (kept.push(() => n), 5) } = x; n < 7; n++) { kept.push(() => n); await x; }
    for (let [j] = [await x]; j === undefined; j = 1) { kept.push(() => j); await x; }
    return seen.join();
  }`);
  for (const x of [{}, { first: 7 }, { first: 2, n: 6 }, { then: (done) => done(undefined) }]) {
    const kept = [];
    const first = x.first ?? 1;
    const expected = [1, 2].filter((it) => it >= first).join();
    assert.equal(await f(x, kept), expected);
    const inHead = x.n === undefined ? [5] : [];
    const rounds = [5, 6].filter((it) => it >= (x.n ?? 5));
    const awaited = "then" in x ? [undefined] : [];
    const all = [1, 2].filter((it) => it >= first).concat(inHead, rounds, awaited);
    assert.deepEqual(
      kept.map((it) => it()),
      all,
    );
  }
});

it("keeps a binding for each round that closures hold", async () => {
  const f = run(`return async function f(get) {
    "perhaps async";
    const kept = [];
    for (let i = 0; i < 4; i++) { kept.push(() => i); await get(i); }
    return kept.map((it) => it());
  }`);
  const late = (i) => (i === 2 ? Promise.resolve() : undefined);
  assert.deepEqual(await f(late), [0, 1, 2, 3]);
});

it("shares variables with async functions inside", async () => {
  const f = run(`return async function f(wait) {
    "perhaps async";
    let sum = 0;
    const add = async (x) => { "perhaps async"; sum += await x; };
    await add(1);
    await wait();
    await add(Promise.resolve(2));
    sum += 10;
    await add(3);
    return sum;
  }`);
  assert.equal(await f(() => undefined), 16);
  assert.equal(await f(() => Promise.resolve()), 16);
});

it("leaves alone what does not ask, and says why it keeps what it keeps", () => {
  const text = `async function f() { await 1; }`;
  const { code, functions } = optimize(text, { functions: "directives" });
  assert.equal(code, text);
  assert.deepEqual(functions[0].outcome, { kind: "kept", reason: "it does not ask for it" });
  const evil = optimize(`async function f() { "perhaps async"; await eval("1"); }`, {
    file: "a.cjs",
  });
  assert.match(evil.functions[0].outcome.reason, /eval/);
});

it("with exact ticks, gives back what needs no await at all, and hands over at the first", async () => {
  const text = `const kept = new Map();
    return async function get(key, load) {
      "perhaps async";
      if (kept.has(key)) return kept.get(key);
      kept.set(key, await load(key));
      return kept.get(key);
    }`;
  const order = async (get) => {
    const log = [];
    const call = async (name, load) => log.push(`${name} ${await get(name, load)}`);
    const calls = [call("a", () => 1), call("a", () => 2)];
    const tick = (name) => () => log.push(name);
    void Promise.resolve().then(tick("first")).then(tick("second")).then(tick("third"));
    await Promise.all(calls);
    const last = call("a", () => 3);
    void Promise.resolve().then(tick("fourth"));
    await last;
    return log;
  };
  const get = run(text, { ticks: "exact" });
  assert.deepEqual(await order(get), await order(new Function(text)()));
  assert.equal(get("a"), 2);
  // What may be a thenable takes the ticks that a promise takes to adopt it.
  const given = run(`return async function f(x) { "perhaps async"; return x; }`, {
    ticks: "exact",
  });
  assert.ok(given({}) instanceof Promise);
});

it("with exact ticks, leaves alone what an async function returns without awaiting it", () => {
  const text = `async function f() { "perhaps async"; return 1; }
    async function g() { "perhaps async"; return f(); }`;
  const { functions } = optimize(text, { ticks: "exact" });
  assert.match(functions.find((it) => it.name === "f").outcome.reason, /without `await`/);
  assert.equal(functions.find((it) => it.name === "g").outcome.kind, "converted");
});

it("sets the depth of calls back, however they end", async () => {
  const f = run(`return async function f(x, get) {
    "perhaps async";
    if (x === 0) return 0;
    try {
      const y = await get(x);
      if (y === 1) return y;
      if (y === 2) return (get(y), 2);
      if (y === 3) throw new Error("three");
      if (y === 4) return;
      if (y === 5) return await f(0, get);
      if (y === 6) return [1, 2].map((it) => { return it; }).length;
      for (const it of [7]) { if (it === y) return f(0, get); }
      if (y === 8) { await 0; return 8; }
    } finally {
      if (x === 9) return 9;
      if (x === 10) throw new Error("ten");
    }
  }`);
  const get = (x) => x;
  for (let round = 0; round < 2_000; round += 1) {
    const x = round % 12;
    const result = f(x, get);
    if (x === 3 || x === 10) await assert.rejects(result);
    else if (x === 8) assert.equal(await result, 8);
    else assert.ok(!(result instanceof Promise), `round ${round}`);
  }
});

it("goes 20,000 calls deep through several functions, and through call", async () => {
  const even = run(`return even;
    async function even(n) { "perhaps async"; if (n === 0) return true; const it = await odd.call(null, n - 1); return it; }
    async function odd(n) { "perhaps async"; if (n === 0) return false; return await half(n); }
    async function half(n) { "perhaps async"; try { return await even(n - 1); } finally { n = 0; } }`);
  await null;
  assert.equal(await even(20_000), true);
});

it("keeps the types of TypeScript, and maps what it writes to where it comes from", () => {
  const text = `export async function f(a: number, g: () => Promise<number>): Promise<number> {
  "perhaps async";
  const value: number = await g();
  return (value as number) + a;
}
`;
  const { code, map } = optimize(text, { file: "f.ts", sourceMap: true });
  assert.match(code, /a: number, g: \(\) => Promise<number>/);
  assert.deepEqual(map.sources, ["f.ts"]);
  assert.deepEqual(map.sourcesContent, [text]);
  assert.ok(map.mappings.length > 40);
});

it("refuses what does not parse, with its place", () => {
  assert.throws(() => optimize("async function (", { file: "bad.js" }), /bad\.js:1:\d+/);
});

it("keeps sloppy code sloppy, words of modules included", async () => {
  const text = `var package = 1;
    return async function f(get) { "perhaps async"; await get(); return this === globalThis && package; }`;
  const { code } = optimize(text, { file: "sloppy.js" });
  const f = new Function(code)();
  assert.equal(await f.call(undefined, () => Promise.resolve()), 1);
  assert.equal(await f.call(undefined, () => 0), 1);
});

it("leaves alone what is declared in blocks of sloppy code, and would be hoisted out of them", () => {
  const text = `{ async function f() { "perhaps async"; } } return typeof f;`;
  const { code } = optimize(text, { file: "sloppy.cjs" });
  assert.equal(new Function(code)(), "undefined");
});

it("leaves function expressions async that give their own name away", async () => {
  const text = `(() => {
    const f = async function own(n) { return n > 0 ? own(n - 1).then((it) => it + 1) : own; };
    module.exports = async (n) => [await f(n), f];
  })();`;
  const module = {};
  new Function("module", optimize(text, { file: "f.cjs" }).code)(module);
  const [itself, f] = await module.exports(0);
  assert.equal(itself, f);
  assert.match((await module.exports(2))[0], /1$/);
});

for (const ticks of ["relaxed", "exact"]) {
  it(`keeps what a \`catch\` clause does with its own names, ${ticks} ticks`, async () => {
    const source = `return [
      async function own(g) {
        "perhaps async";
        try { await g(1); throw {}; } catch ({ q: e = -e }) { await g(2); return e; }
      },
      async function again(g) {
        "perhaps async";
        await g(0);
        try { throw 5; } catch (e) { var e = await g(7); }
        return typeof e;
      },
    ];`;
    const { code } = optimize(source, { file: "catch.js", ticks });
    for (const g of [(x) => x, async (x) => x]) {
      const [own, again] = new Function(code)();
      await assert.rejects(async () => own(g), ReferenceError);
      assert.equal(await again(g), "undefined");
    }
  });
}

it("leaves alone what goes over a variable of a loop's own head, which has no value there", async () => {
  const source = (over) => `"use strict";
    const x = "outer";
    return async function f(g) {
      "perhaps async";
      try {
        for (const x ${over}) { await g(x); }
      } catch (error) { return error.message; }
      return x;
    };`;
  for (const over of ["of [x, await 1]", "of [() => x].map((it) => it())", "in { [x]: 1 }"]) {
    const { code, functions } = optimize(source(over), { file: "head.js" });
    assert.equal(functions[0].outcome.reason, "uses a variable in front of its declaration");
    const seen = [];
    const message = await new Function(code)()((x) => seen.push(x));
    assert.deepEqual([message, seen], ["Cannot access 'x' before initialization", []]);
  }
});

it("evaluates what is assigned to a variable before it says that it is not declared yet", async () => {
  const f = run(`return async function f(log) {
    "perhaps async";
    const early = (assign) => { try { return assign(); } catch (error) { log(error.message); } };
    let x = early(() => (x = log("assigned"))), y = early(() => (y += log("added")));
    await early(() => ([x, y, z] = [1, 2, log("taken apart")]));
    let z = await 3;
    return [x, y, z];
  }`);
  const seen = [];
  assert.deepEqual(await f((it) => seen.push(it)), [1, 2, 3]);
  const refused = (name) => `Cannot access '${name}' before initialization`;
  assert.deepEqual(seen, ["assigned", refused("x"), refused("y"), "taken apart", refused("z")]);
});

it("gives boxes only to variables of functions that are converted", async () => {
  const text = `export async function main(op, seen) {
    return [await f(op), seen(f)];
  }
  async function f(op, q = () => p, p = 1) {
    async function again(n) { "perhaps async"; if (n > 0) await again(n - 1); p += await op(); return p; }
    await again(2);
    return p;
  }`;
  const { code } = optimize(text, { file: "f.mjs" });
  const main = new Function(`${code.replaceAll("export ", "")}; return main;`)();
  const [value] = await main(
    () => 1,
    (it) => it,
  );
  assert.equal(value, 4);
});

it("keeps parameters of TypeScript optional, and takes types off what becomes a box", () => {
  const text = `export async function f(get: () => any, a?: string, b: number = get(), c?: string): Promise<number> {
    "perhaps async";
    var resolve: (value: number) => void;
    const promise = new Promise<number>((done) => { resolve = done; });
    await get();
    resolve(b);
    return (await promise) + (c?.length ?? 0);
  }`;
  const { code, functions } = optimize(text, { file: "f.ts" });
  assert.equal(functions[0].outcome.kind, "converted");
  assert.match(code, /, b: number = void 0, c\?: string\)/);
  assert.doesNotMatch(code, /\.v: /);
});

/** Promises that `return` and `await` take for different things: how often their own `then` is called. */
const ODD_PROMISES = {
  "a `then` of its own": (then) => Object.assign(Promise.resolve(1), { then }),
  "a getter for it": (then) =>
    Object.defineProperty(Promise.resolve(1), "then", { get: () => then }),
  "another constructor": (then) =>
    Object.assign(Promise.resolve(1), { then, constructor: class extends Promise {} }),
  "a subclass": (then) => Object.assign(class extends Promise {}.resolve(1), { then }),
  "a proxy": (then) =>
    new Proxy(Promise.resolve(1), {
      get: (target, key) => (key === "then" ? then : Reflect.get(target, key)),
    }),
  "a `then` that cannot be called": () => Object.assign(Promise.resolve(1), { then: 5 }),
  "a thenable": (then) => ({ then }),
  "no such thing": () => Promise.resolve(1),
};

const RETURNING = `async function returned(p) { DIRECTIVE return p; }
  async function awaited(p) { DIRECTIVE return await p; }
  async function early(p) { DIRECTIVE if (p) return p; await p; return 0; }
  async function chosen(p) { DIRECTIVE const it = p ? p : null; return it || p; }
  async function caught(p) { DIRECTIVE try { return p; } catch { return "caught"; } }
  async function cleaned(p) { DIRECTIVE try { return p; } finally { log.push("finally"); } }
  async function waited(p) { DIRECTIVE try { return p; } finally { await log.push("finally"); } }
  async function found(p) { DIRECTIVE for (const it of [p]) return it; }
  async function last(p) { DIRECTIVE try { await log.length; } finally { return p; } }
  async function lastOf(p) { DIRECTIVE for (const it of [p]) try { await log.length; } finally { if (it) return it; } }
  async function lastCaught(p) { DIRECTIVE try { await log.length; throw 1; } catch { return 0; } finally { return p; } }
  async function lastInside(p) { DIRECTIVE try { await log.length; } finally { try { return p; } catch { return "caught"; } } }
  async function lastTwice(p) { DIRECTIVE try { try { await log.length; } finally { return p; } } finally { log.push("outer"); } }
  async function lastWaited(p) { DIRECTIVE try { try { await log.length; } finally { return p; } } finally { await log.push("outer"); } }
  async function handed(p) { DIRECTIVE return returned(p); }
  async function handedOn(p) { DIRECTIVE return await awaited(p); }
  class C {
    async m(p) { DIRECTIVE return p; }
    async n(p) { DIRECTIVE return await this.m(p); }
    async o(p) { DIRECTIVE const it = [await this.n(p)]; return it[0]; }
  }
  async function all(p) {
    const results = [];
    const c = new C();
    for (const f of [returned, awaited, early, chosen, caught, cleaned, waited, found, last, lastOf, lastCaught, lastInside, lastTwice, lastWaited, handed, handedOn, (p) => c.m(p), (p) => c.n(p), (p) => c.o(p)])
      results.push(String(await f(p)));
    results.push(String(await returned(p)), String(await awaited(p)), String(await early(p)), String(await chosen(p)), String(await caught(p)));
    results.push(String(await cleaned(p)), String(await waited(p)), String(await found(p)), String(await last(p)), String(await lastOf(p)), String(await lastCaught(p)), String(await lastInside(p)), String(await lastTwice(p)), String(await lastWaited(p)), String(await handed(p)), String(await handedOn(p)));
    results.push(String(await c.m(p)), String(await c.n(p)), String(await c.o(p)));
    return results;
  }
  return all;`;

for (const [name, make] of Object.entries(ODD_PROMISES)) {
  for (const directive of ["", '"perhaps async";']) {
    for (const ticks of directive === "" ? ["relaxed"] : ["relaxed", "exact"]) {
      const how = directive === "" ? "found at call sites" : `asked for, with ${ticks} ticks`;
      it(`adopts what is returned, ${name}, ${how}`, async () => {
        const before = `"use strict";\n${RETURNING.replaceAll("DIRECTIVE", "")}`;
        const asked = `"use strict";\n${RETURNING.replaceAll("DIRECTIVE", directive)}`;
        const { code } = optimize(asked, { file: "odd.js", ticks });
        const run = async (text) => {
          const log = [];
          const then = (resolve) => {
            log.push("called");
            resolve("own");
          };
          const results = await new Function("log", text)(log)(make(then));
          return { results, log };
        };
        assert.deepEqual(await run(code), await run(before));
      });
    }
  }
}

it("calls what has replaced the `then` of all promises, before and after a file is loaded", async () => {
  const source = RETURNING.replaceAll("DIRECTIVE", "");
  const { code } = optimize(source, { file: "patched.cjs" });
  const run = (text, early) => {
    const context = createContext({ log: [] });
    const patch =
      "const { then } = Promise.prototype; Promise.prototype.then = function (...args) { if (this === odd) log.push('patched'); return then.apply(this, args); };";
    const program = `var odd = Promise.resolve(1); ${early ? patch : ""} const all = (() => { ${text} })(); ${early ? "" : patch}
      all(odd).then((results) => ({ results, log }));`;
    return runInContext(program, context);
  };
  for (const early of [false, true]) {
    const [expected, actual] = [await run(source, early), await run(code, early)];
    assert.ok(expected.log.includes("patched"));
    assert.equal(JSON.stringify(actual), JSON.stringify(expected));
  }
});

it("does not look at the `then` of primitive values, as `return` and `await` do not", async () => {
  for (const directive of ["", '"perhaps async";']) {
    const text = RETURNING.replaceAll("DIRECTIVE", directive);
    const { code } = optimize(text, { file: "primitive.cjs" });
    for (const { prototype, value } of [
      { prototype: String.prototype, value: "text" },
      { prototype: Number.prototype, value: 7 },
    ]) {
      const log = [];
      prototype.then = (resolve) => resolve(log.push("called"));
      try {
        const results = await new Function("log", code)(log)(value);
        assert.deepEqual(new Set(results), new Set([String(value)]));
        assert.equal(log.includes("called"), false);
      } finally {
        delete prototype.then;
      }
    }
  }
});

it("keeps what scripts of one page put at the top apart", async () => {
  const page = createContext({});
  for (const n of [1, 2]) {
    const script = `var run${n} = (x) => {
      async function inner(y) { "perhaps async"; return ${n} + (await y); }
      return inner(x);
    };`;
    runInContext(optimize(script, { file: `${n}.js` }).code, page);
  }
  assert.equal(await page.run1(Promise.resolve(10)), 11);
  assert.equal(await page.run2(Promise.resolve(10)), 12);
});

/** Where a callee enters a context of its own, and when: what the caller sees afterwards. */
const CONTEXTS = {
  "behind an await": `await nothing(); als.enterWith("callee's");`,
  "in a function that it calls": `await nothing(); enter("callee's");`,
  "by a computed name": `await nothing(); als["enterWith"]("callee's");`,
  "taken apart": `const { enterWith } = als; await nothing(); enterWith.call(als, "callee's");`,
  "in a closure": `await nothing(); [1].forEach(() => als.enterWith("callee's"));`,
  "in a method": `await new Service().enter();`,
  "by way of what it is passed on to": `await nothing(); passOn(als, "callee's");`,
  "in a loop": `for (let i = 0; i < 3; i++) { await nothing(); als.enterWith("callee's " + i); }`,
  "in front of the first await, which the caller sees": `als.enterWith("callee's"); await nothing();`,
  "for the time of a call": `await nothing(); als.run("callee's", () => nothing());`,
};

for (const [name, body] of Object.entries(CONTEXTS)) {
  it(`keeps the contexts of async functions apart: ${name}`, async () => {
    const source = (directive) => `const als = new AsyncLocalStorage();
      function enter(store) { als.enterWith(store); }
      class Service { async enter() { ${directive} await nothing(); als.enterWith("callee's"); } }
      async function nothing() { ${directive} }
      async function callee() { ${directive} ${body} return als.getStore(); }
      async function main() {
        await null;
        als.enterWith("main's");
        const inner = await callee();
        return [inner, als.getStore()];
      }
      return main;`;
    const passOn = (als, store) => als.enterWith(store);
    const observe = (code) =>
      new Function("AsyncLocalStorage", "passOn", code)(AsyncLocalStorage, passOn)();
    for (const directive of ["", '"perhaps async";']) {
      for (const ticks of directive === "" ? ["relaxed"] : ["relaxed", "exact"]) {
        const text = source(directive);
        const { code } = optimize(text, { file: "contexts.cjs", ticks });
        assert.deepEqual(await observe(code), await observe(text), `${directive} ${ticks}`);
      }
    }
  });
}

it("leaves alone what would become many times as long", () => {
  const text = (count) => `async function step(n) { return n; }
    export async function main() { await null; return await long(); }
    async function long() { ${Array.from({ length: count }, (_, i) => `let v${i} = await step(${i}); v${i} += await step(v${i});`).join("\n")} return v0; }`;
  const grown = (count) =>
    optimize(text(count), { file: "long.mjs" }).code.length / text(count).length;
  // A fast function and its twin, or checks at the awaits of what stays.
  assert.ok(grown(50) > 5);
  assert.ok(grown(3_000) < 5);
});

it("calls what programs put beside the `next` of arrays' iterators", async () => {
  const prototype = Object.getPrototypeOf([][Symbol.iterator]());
  const text = `return async function f(xs, found, round) { DIRECTIVE for (const x of xs) { round(); if (await x > 1) break; if (x === found) throw "found"; } return "done"; }`;
  const put = (log) => (prototype.return = () => (log.push("return"), {}));
  const observe = async (code) => {
    const log = [];
    const f = new Function(code)();
    try {
      for (const late of [false, true]) {
        if (!late) put(log);
        const round = () => log.push(late ? (put(log), "late") : "round");
        for (const xs of [[], [1, 1], [1, 2, 3], [1, Promise.resolve(2), 3], [-1, 2]])
          log.push(await (async () => f(xs, -1, round))().catch((error) => error));
        delete prototype.return;
      }
    } finally {
      delete prototype.return;
    }
    return log;
  };
  const expected = await observe(text.replace("DIRECTIVE", ""));
  for (const ticks of ["relaxed", "exact"]) {
    const asked = text.replace("DIRECTIVE", '"perhaps async";');
    const { code, functions } = optimize(asked, { file: "f.cjs", ticks });
    assert.equal(functions[0].outcome.kind, "converted");
    assert.deepEqual(await observe(code), expected);
  }
});
