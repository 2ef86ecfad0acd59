// The recorder on small programs: exactly which edges it reports.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { measure } from "./measure.mjs";
import { merge, record } from "./record.mjs";

/** @typedef {import("./record.mjs").Recording} Recording */

/**
 * Records a program of the files given, the first of which is run.
 *
 * @param {Record<string, string>} files
 * @param {string[]} [sources]
 */
function run(files, sources = ["src"]) {
  const root = mkdtempSync(join(tmpdir(), "headstart-recorder-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    const command = [process.execPath, Object.keys(files)[0]];
    const { status, recording } = record({ root, sources, command });
    assert.equal(status, 0);
    return recording;
  } finally {
    rmSync(root, { recursive: true });
  }
}

/**
 * The edges of a recording as text, `call -> function` and `function => function` for those without
 * a call, with the first characters of what is at each place.
 *
 * @param {Record<string, string>} sources
 * @param {Recording} recording
 */
function edges(sources, { files, functions, calls, callers, modules, call2fun, fun2fun }) {
  const text = (/** @type {string} */ at) => {
    const [file, startLine, startColumn, endLine, endColumn] = at.split(":").map(Number);
    const lines = sources[files[file]].split("\n").slice(startLine - 1, endLine);
    lines[lines.length - 1] = lines[lines.length - 1].slice(0, endColumn - 1);
    lines[0] = lines[0].slice(startColumn - 1);
    return lines.join(" ").replace(/ *\{.*/, "");
  };
  const fun = (/** @type {number} */ id) => (modules.includes(id) ? "module" : text(functions[id]));
  const called = new Set(call2fun.map(([call, to]) => `${callers[call]} ${to}`));
  return [
    ...call2fun.map(([call, to, kind]) => `${text(calls[call])} -> ${fun(to)} (${kind})`),
    ...fun2fun
      .filter(([from, to]) => !called.has(`${from} ${to}`))
      .map(([from, to, kind]) => `${fun(from)} => ${fun(to)} (${kind})`),
  ];
}

/**
 * @param {string} name
 * @param {string} source
 * @param {string[]} expected
 * @param {string} [file]
 */
function program(name, source, expected, file = "src/main.js") {
  test(name, () => {
    const sources = { [file]: source };
    assert.deepEqual(edges(sources, run(sources)).sort(), expected.sort());
  });
}

program(
  "direct calls and recursion",
  `"use strict"
function f(n) { return n === 0 ? 0 : f(n - 1) }
function g() { return f(1) }
f(2)
g()`,
  [
    "f(n - 1) -> function f(n) (direct)",
    "f(1) -> function f(n) (direct)",
    "f(2) -> function f(n) (direct)",
    "g() -> function g() (direct)",
  ],
);

program(
  "methods keep this, also in optional chains",
  `const o = { m() { return this }, p: { n: function () { return this } } }
if (o.m() !== o || o?.p.n?.() !== o.p) throw new Error()
if ((o?.m)() !== o) throw new Error()
o.none?.(o.m())`,
  ["o.m() -> m() (direct)", "o?.p.n?.() -> function () (direct)", "(o?.m)() -> m() (direct)"],
);

program(
  "callbacks come through natives, every one of several",
  `const a = (x) => x
const b = (x) => x;
[a, b].forEach((f) => f(1));
[1].map(a)
new Promise((resolve) => resolve(b(1)))
"x".replace(/x/, () => "y")`,
  [
    "[a, b].forEach((f) => f(1)) -> (f) => f(1) (via-native)",
    "f(1) -> (x) => x (direct)",
    "f(1) -> (x) => x (direct)",
    "[1].map(a) -> (x) => x (via-native)",
    "new Promise((resolve) => resolve(b(1))) -> (resolve) => resolve(b(1)) (via-native)",
    "b(1) -> (x) => x (direct)",
    `"x".replace(/x/, () => "y") -> () => "y" (via-native)`,
  ],
);

program(
  "a function called by another after a native is no callee of the native",
  `const o = { get g() { return 1 } }
function f() { return Math.max(1, 2) + o.g }
f()`,
  ["f() -> function f() (direct)", "function f() => get g() (implicit)"],
);

program(
  "call, apply and bind",
  `function f() { return this }
f.call(1)
f.apply(1, [])
f.bind(1)()
const o = { call() {} }
o.call()`,
  [
    "f.call(1) -> function f() (via-native)",
    "f.apply(1, []) -> function f() (via-native)",
    "f.bind(1)() -> function f() (direct)",
    "o.call() -> call() (direct)",
  ],
);

program(
  "classes: constructors, fields, static members, super",
  `class A { constructor(x) { this.x = x } static s() {} m() {} }
class B extends A { y = h(); m() { super.m() } }
class C {}
function h() {}
const b = new B(1)
b.m()
new C
A.s()
if (b.x !== 1 || B.length !== 0) throw new Error()`,
  [
    " -> class A (direct)",
    "h() -> function h() (direct)",
    "super.m() -> m() (direct)",
    "new B(1) -> class B extends A (direct)",
    "b.m() -> m() (direct)",
    "new C -> class C (direct)",
    "A.s() -> static s() (direct)",
  ],
);

program(
  "getters, setters and conversions are implicit",
  `const o = { get g() { return f() }, set s(v) { f() }, toString() { return "" } }
function f() {}
o.g
o.s = 1;
\`\${o}\``,
  [
    "f() -> function f() (direct)",
    "f() -> function f() (direct)",
    "module => get g() (implicit)",
    "module => set s(v) (implicit)",
    "module => toString() (implicit)",
  ],
);

program(
  "async functions: what runs meanwhile is not called by who waits",
  `async function f() { await 0; g() }
async function h() { for await (const x of [1, 2]) g(); await fails().catch(() => {}) }
async function fails() { await 0; throw new Error() }
function g() {}
const later = () => g()
f()
h()
Promise.resolve().then(later)
setTimeout(later)`,
  [
    "g() -> function g() (direct)",
    "g() -> function g() (direct)",
    "g() -> function g() (direct)",
    "fails() -> async function fails() (direct)",
    "f() -> async function f() (direct)",
    "h() -> async function h() (direct)",
  ],
);

program(
  "generators are called where they are made",
  `function* f(n) { const got = yield g(); yield* h(got) }
function* h(x) { yield x }
function g() {}
const it = f(1)
it.next()
it.next(2)
for (const x of h(1)) g()
if (f.length !== 1) throw new Error()`,
  [
    "g() -> function g() (direct)",
    "h(got) -> function* h(x) (direct)",
    "f(1) -> function* f(n) (direct)",
    "h(1) -> function* h(x) (direct)",
    "g() -> function g() (direct)",
  ],
);

program(
  "tagged templates, spread, parameters and sequences",
  `function tag() {}
function f(a = g(), ...rest) { return rest.length }
function g() {}
const o = { tag() { return this } }
tag\`x\${1}\`
tag\`x\`
if (o.tag\`x\` !== o || f(...[1, 2, 3]) !== 2) throw new Error()
f()
f((0, 1))`,
  [
    "tag`x$ -> function tag() (direct)",
    "tag`x` -> function tag() (direct)",
    "o.tag`x` -> tag() (direct)",
    "f(...[1, 2, 3]) -> function f(a = g(), ...rest) (direct)",
    "g() -> function g() (direct)",
    "f() -> function f(a = g(), ...rest) (direct)",
    "f((0, 1)) -> function f(a = g(), ...rest) (direct)",
  ],
);

program(
  "exceptions thrown between",
  `function fails() { throw new Error() }
function f() { try { fails() } catch { g() } finally { g() } }
function g() {}
f()
try { [1].forEach(fails) } catch {}
g()`,
  [
    "fails() -> function fails() (direct)",
    "g() -> function g() (direct)",
    "g() -> function g() (direct)",
    "f() -> function f() (direct)",
    "[1].forEach(fails) -> function fails() (via-native)",
    "g() -> function g() (direct)",
  ],
);

test("files outside of the program are neither callers nor callees", () => {
  const sources = {
    "test.js": `const { f, g } = require("./src/f.js"); f(() => g()); g()`,
    "src/f.js": `exports.f = function f(call) { call() }
exports.g = function g() {}`,
  };
  assert.deepEqual(edges(sources, run(sources)), ["call() -> function g() (via-external)"]);
});

test("ES modules, also where they import each other", () => {
  const sources = {
    "src/a.mjs": `import { b } from "./b.mjs"
export function a() { return 1 }
b()`,
    "src/b.mjs": `import { a } from "./a.mjs"
export const early = a()
export const b = () => a()`,
  };
  const found = edges(sources, run(sources));
  const expected = ["a() -> function a() (direct)", "b() -> () => a() (direct)"];
  assert.deepEqual(found.sort(), [expected[0], ...expected]);
});

test("every process of a program is recorded", () => {
  const sources = {
    "src/main.js": `const { spawnSync } = require("node:child_process")
if (process.argv[2]) child()
else spawnSync(process.execPath, [__filename, "child"])
function child() {}`,
  };
  assert.deepEqual(edges(sources, run(sources)), ["child() -> function child() (direct)"]);
});

test("a recording has the shape of Jelly's call graphs", () => {
  const recording = run({ "src/main.js": "function f() {}\nclass A { constructor() {} }\nf()\n" });
  assert.deepEqual(recording, {
    files: ["src/main.js"],
    functions: { 0: "0:1:1:4:1", 1: "0:1:1:1:16", 2: "0:2:1:2:29" },
    also: { 2: "0:2:11:2:27" },
    modules: [0],
    calls: { 0: "0:3:1:3:4" },
    callers: { 0: 0 },
    executed: [0],
    call2fun: [[0, 1, "direct"]],
    fun2fun: [[0, 1, "direct"]],
  });
  assert.deepEqual(merge([]).files, []);
});

test("recall and precision, with places that match in part", () => {
  const recording = run({
    "src/main.js": "function f() {}\nconst c = f\nfunction g() { f(); [1].map(c) }\ng()\n",
  });
  const share = (/** @type {number} */ hit, /** @type {number} */ of) => ({ hit, of });
  const graph = {
    files: ["src/main.js"],
    functions: { 0: "0:1:1:5:1", 1: "0:1:1:1:16", 2: "0:3:1:3:32", 3: "0:9:1:9:9" },
    // The end of the second is a column further: it is found by its start.
    calls: { 0: "0:4:1:4:4", 1: "0:3:16:3:20", 2: "0:8:1:8:3" },
    fun2fun: /** @type {[number, number][]} */ ([[2, 1]]),
    call2fun: /** @type {[number, number][]} */ ([
      [0, 3],
      [1, 1],
      [2, 1],
    ]),
  };
  assert.deepEqual(measure(recording, graph), {
    direct: share(1, 2),
    functions: share(1, 2),
    precision: share(1, 2),
    precisionDirect: share(1, 2),
    edges: 3,
  });
});
