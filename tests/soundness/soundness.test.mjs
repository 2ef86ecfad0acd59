// The instrumentation on small programs: exactly what it records, and that a miss is reported.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { generate } from "./generate.mjs";
import { parseLocation, stepMatches } from "./match.mjs";
import { check } from "./run.mjs";

/** @typedef {import("./match.mjs").Computed} Computed */

/**
 * @param {string} source
 * @param {(computed: Computed[]) => Computed[]} [change]
 * @param {string} [file]
 */
async function run(source, change, file = "main.js") {
  const folder = mkdtempSync(join(tmpdir(), "headstart-soundness-"));
  try {
    const program = { name: "p", files: { [file]: source } };
    const result = await check([program], folder, change, true);
    assert.deepEqual(result.failed, {});
    return result;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} name @param {string} source @param {string[]} expected */
function records(name, source, expected) {
  test(name, async () => {
    const result = await run(source);
    assert.deepEqual(result.records.sort(), expected.sort());
  });
}

records(
  "properties of what was there before",
  `const o = { a: 1, list: [1] };
   function f(p) { p.a += 1; p.list.push(2); delete p.b; const own = { x: 1 }; own.x = 2; return p["a"]; }
   f(o);`,
  ["f before r a", "f before w a", "f before r list", "f before w […]", "f before w b"],
);

records(
  "a method that is called right away is not read, other functions are",
  `const o = { m() { return 1; } };
   function f(p) { p.m(); return p.m; }
   f(o);`,
  ["f before r m"],
);

records(
  "variables that are assigned more than once, outside of their function",
  `let n = 0;
   const once = 1;
   function f() { n++; return once; }
   function g() { let own = 0; const add = () => { own += 1; }; add(); return own; }
   f(); g();`,
  ["f before r n", "f before w n", "add before r own", "add before w own"],
);

records(
  "all functions under way have an effect, but not those that made the object",
  `function inner(o) { o.x = 1; }
   function middle(o) { inner(o); }
   function outer() { middle({}); }
   outer();`,
  ["inner before w x", "middle before w x"],
);

records(
  "constructors make their object; getters and setters count, not their properties",
  `class A { #h = 1; constructor(v) { this.v = v; } get d() { return this.v; } set d(x) { this.v = x; }
     hidden() { return this.#h; } }
   class B extends A { constructor(v) { super(v); this.w = 1; } }
   const b = new B(1);
   function f(o) { o.d = o.d + 1; return o.hidden(); }
   function make() { return new B(2); }
   f(b); make();`,
  [
    "get A.d before r v",
    "set A.d before w v",
    "A.hidden before r h",
    "f before r v",
    "f before w v",
    "f before r h",
  ],
);

records(
  "parameters that are patterns, and what a pattern takes out",
  `function f({ a, sub: { b } }, [c] = []) { return a + b + c; }
   const g = ({ x, ...rest }) => { rest.y = x; };
   f({ a: 1, sub: { b: 2 } }, [3]); g({ x: 1 });`,
  [
    "f before r a",
    "f before r sub",
    "f before r b",
    "f before r […]",
    "g before r x",
    "g before r *",
  ],
);

records(
  "what comes behind an await, in the function and in those that started it",
  `async function f(o) { o.a = 1; await null; o.b = 1; try { await Promise.reject(1); } catch { o.c = 1; } }
   function start(o) { f(o); o.d = 1; }
   start({});`,
  [
    "f before w a",
    "f after w b",
    "f after w c",
    "start before w a",
    "start before w d",
    "start after w b",
    "start after w c",
  ],
);

records(
  "callbacks that are called later",
  `function f(o) { setTimeout(() => { o.a = 1; }, 0); Promise.resolve(o).then((p) => { p.b = 1; }); }
   f({});`,
  ["f after w a", "f after w b", "f before w timers"],
);

records(
  "generators run when they are asked",
  `function* g(o) { yield o.a; o.b = 1; }
   function drive(o) { const it = g(o); it.next(); it.next(); }
   drive({ a: 1 });`,
  ["g before r a", "g after w b", "drive before r a", "drive before w b"],
);

records(
  "maps, sets, spreads and native methods through call",
  `const m = new Map();
   const list = [1];
   function f(k) { m.set(k, 1); Array.prototype.push.call(list, 2); return [...list]; }
   f("a");`,
  ["f before w […]", "f before r […]"],
);

records(
  "resources",
  `const { existsSync } = require("fs");
   function f() { Date.now(); new Date(); Math.random(); console.log(1); existsSync("none"); return process.env.HOME; }
   f();`,
  [
    "f before r clock",
    "f before r randomness",
    "f before w output",
    "f before r file",
    "f before r HOME",
  ],
);

const MISSING = `const o = { a: 1, sub: {} };
function inner(p) { p.a = 2; return p.sub; }
function outer() { return inner(o); }
outer();
`;

test("what was computed for a program is enough", async () => {
  const { misses, judged } = await run(MISSING);
  assert.deepEqual(misses, []);
  assert.equal(judged, 4);
});

for (const [name, list, entry] of /** @type {const} */ ([
  ["inner", "writes", "p.a"],
  ["inner", "reads", "p.sub"],
  ["outer", "writes", "o.a"],
])) {
  test(`a miss is reported: ${name} without ${entry}`, async () => {
    const { misses } = await run(MISSING, (computed) =>
      computed.map((c) => {
        if (c.name !== name) return c;
        assert.ok(c.before[list].includes(entry));
        const less = c.before[list].filter((text) => text !== entry);
        return { ...c, before: { ...c.before, [list]: less } };
      }),
    );
    assert.equal(misses.length, 1);
    assert.equal(misses[0].computed.name, name);
    assert.equal(misses[0].miss.kind, list === "writes" ? "w" : "r");
  });
}

test("the root is checked, too", async () => {
  const { misses } = await run(
    `const a = {}; const b = {};
     function f(p, q) { p.x = 1; }
     f(a, b);`,
    (computed) => computed.map((c) => ({ ...c, before: { reads: [], writes: ["q.x"] } })),
  );
  assert.equal(misses.length, 1);
});

test("what happens before the first suspension has to be in `before`", async () => {
  const { misses } = await run(
    `async function f(p) { p.x = 1; await null; p.y = 1; }
     f({});`,
    (computed) =>
      computed.map((c) => ({
        ...c,
        before: { reads: [], writes: ["p.y"] },
        after: { reads: [], writes: ["p.x"] },
      })),
  );
  assert.deepEqual(
    misses.map(({ miss }) => miss.phase),
    ["before"],
  );
});

test("a function that may do anything misses nothing", async () => {
  const { misses } = await run(MISSING, (computed) =>
    computed.map((c) => ({ ...c, before: { reads: [], writes: [] }, unknown: [{}] })),
  );
  assert.deepEqual(misses, []);
});

test("locations", () => {
  /** @param {string} text */
  const parts = (text) => {
    const { root, steps } = parseLocation(text);
    return [root, ...steps];
  };
  assert.deepEqual(parts("this.#list[…].a"), ["this", "list", "[…]", "a"]);
  assert.deepEqual(parts("(parameter 2).a.b.c.…"), ["(parameter 2)", "a", "b", "c", "…"]);
  assert.deepEqual(parts("lib/store.js:counter"), ["counter"]);
  assert.deepEqual(parts("store.mjs:cache[…]"), ["cache", "[…]"]);
  assert.deepEqual(parts("{…}:3.name"), ["{…}:3", "name"]);
  assert.deepEqual(parts("{…} lib/store.js:3[…]"), ["{…} lib/store.js:3", "[…]"]);
  assert.deepEqual(parts("Store#items"), ["Store#", "items"]);
  assert.deepEqual(parts("Store##items"), ["Store#", "items"]);
  assert.deepEqual(parts("?.name"), ["?", "name"]);
  assert.ok(stepMatches("[…]", "a") && stepMatches("a", "a") && !stepMatches("a", "b"));
});

test("a seed always gives the same program", () => {
  assert.deepEqual(generate(5), generate(5));
  assert.notDeepEqual(generate(5), generate(6));
});
