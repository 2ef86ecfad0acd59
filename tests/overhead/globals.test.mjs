// What the helpers of optimised files take from the language does not depend on what the file, or the
// program, calls by the same names.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";

import { optimize } from "headstart";

const NAMES = [
  "Array",
  "Error",
  "Function",
  "Object",
  "Promise",
  "ReferenceError",
  "Reflect",
  "RegExp",
  "String",
  "Symbol",
  "TypeError",
  "globalThis",
];

/** A program that needs every helper. `NAME` is what the file has of its own. */
const PROGRAM = `
const log = [];
async function plain(x) { ASKS const y = await x; return y; }
async function given(x) { ASKS if (x === 0) await x; return x; }
async function cleaned(x) { ASKS try { const y = await x; return y; } finally { log.push("cleaned"); } }
async function kept(x) { ASKS try { await 0; return x; } catch { return "caught"; } }
async function tail(x) { ASKS if (x === 0) await x; return await x; }
async function sum(xs) { ASKS let s = 0; for (const x of xs) s += await x; return s; }
async function first(xs) { ASKS for (const x of xs) { await x; return x; } }
async function early(x, show) {
  ASKS
  const get = () => v;
  try { get(); } catch (error) { show(error); }
  await x;
  let v = 1;
  const more = () => v++;
  more();
  await x;
  return get();
}
class C {
  async m(x) { ASKS return await x; }
  async n(x) { ASKS return [await this.m(x)]; }
}
async function fails(x) { ASKS if (x) throw x; await x; }
async function deep(n) { ASKS return n === 0 ? 0 : 1 + (await deep(n - 1)); }
async function use(real) {
  const c = new C();
  const show = (error) => log.push([error instanceof real.ReferenceError, error instanceof real.TypeError]);
  const broken = { [real.iterator]: () => 7 };
  const odd = { [real.iterator]: () => ({ next: () => 7 }) };
  for (const x of real.values) {
    log.push(await plain(x), await given(x), await cleaned(x), await kept(x), await tail(x));
    log.push(await sum([1, x]), await first(real.set(x)), await early(x, show), await c.m(x), await c.n(x));
  }
  for (const xs of [5, null, broken, odd]) {
    try { await sum(xs); } catch (error) { show(error); }
    try { await first(xs); } catch (error) { show(error); }
  }
  try { await fails("fails"); } catch (error) { log.push(error); }
  log.push(await deep(3));
  return log;
}`;

/** How a file may have a name of its own. */
const FORMS = {
  "a class": (name, text) => `class ${name} {}\n${text}`,
  "a class at its end": (name, text) => `${text}\nclass ${name} {}`,
  "a constant": (name, text) => `const ${name} = () => "mine";\n${text}`,
  "a function": (name, text) => `${text}\nfunction ${name}() { return "mine"; }`,
  "a variable": (name, text) => `${text}\nvar ${name} = 1;`,
  "an import": (name, text) => `import { mine as ${name} } from "./mine.mjs";\n${text}`,
  "a variable of each function": (name, text) =>
    text.replaceAll("ASKS", `ASKS let ${name} = 1; log.push(${name});`),
  "a parameter": (name, text) => text.replaceAll(/(function \w+\(\w+)\)/g, `$1, ${name})`),
};

/** What the language has by these names, and what there is to wait for. */
const REAL = `({
  TypeError, ReferenceError, iterator: Symbol.iterator, set: (x) => new Set([x]),
  values: [1, "text", { then: (resolve) => resolve(2) }, Promise.resolve(3), new (class extends Promise {})((resolve) => resolve(4))],
})`;
const real = () => (0, eval)(REAL);

const root = mkdtempSync(join(tmpdir(), "headstart-globals-"));
after(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, "mine.mjs"), 'export const mine = () => "mine";\n');

let files = 0;
async function results(text) {
  const file = join(root, `${String(files++)}.mjs`);
  writeFileSync(file, text);
  const { use } = await import(pathToFileURL(file).href);
  return use(real());
}

/** The texts of a program: before, and after in each way. */
function* variants(text) {
  const before = text.replaceAll("ASKS", "");
  const asking = text.replaceAll("ASKS", '"perhaps async";');
  yield { how: "found at call sites", before, ...optimize(before, { file: "a.mjs" }) };
  for (const ticks of ["relaxed", "exact"]) {
    yield { how: `asked for, ${ticks}`, before, ...optimize(asking, { file: "a.mjs", ticks }) };
  }
}

for (const [form, make] of Object.entries(FORMS)) {
  it(`a file may have names of the language as ${form}`, async () => {
    for (const name of NAMES) {
      const text = make(name, PROGRAM.replace("async function use", "export async function use"));
      for (const { how, before, code, functions } of variants(text)) {
        const what = `${name}, ${how}`;
        assert.deepEqual(await results(code), await results(before), what);
        const converted = functions.filter((it) => it.outcome.kind === "converted").length;
        assert.ok(converted > 5, `${what}: ${String(converted)} converted`);
      }
    }
  });
}

it("gives back promises of the language where a file has a `Promise` of its own", async () => {
  const text = `class Promise { static reject() { return "mine"; } }
    return async function f(x) { "perhaps async"; if (x) throw new Error("x"); await 0; }`;
  for (const ticks of ["relaxed", "exact"]) {
    const f = new Function(optimize(text, { file: "a.cjs", ticks }).code)();
    await assert.rejects(f(1), /x/);
    assert.ok(f(1).catch(() => undefined) instanceof Promise);
  }
});

it("leaves files alone whose own names hide the ways around them, too", () => {
  const text = `import { Symbol, globalThis } from "./mine.mjs";\n${PROGRAM}`;
  const { code, functions } = optimize(text.replaceAll("ASKS", '"perhaps async";'), {
    file: "a.mjs",
  });
  assert.ok(functions.every((it) => it.outcome.kind === "kept"));
  assert.match(functions[0].outcome.reason, /has a `Symbol` or a `ReferenceError` of its own/);
  assert.doesNotMatch(code, /\$hold/);
});

it("programs may replace what is global, before a file is loaded and afterwards", async () => {
  const names = NAMES.filter(
    (it) => !["Reflect", "ReferenceError", "Symbol", "globalThis"].includes(it),
  );
  const replace = names
    .map((it) => `globalThis.${it} = class Mine { static reject() {} };`)
    .join("");
  for (const { how, before, code } of variants(PROGRAM)) {
    for (const first of [true, false]) {
      const run = async (text) => {
        const load = `const use = (() => { ${text}; return use; })();`;
        const script = `(async () => {
          const real = ${REAL};
          ${first ? `${replace} ${load}` : `${load} ${replace}`}
          return use(real);
        })()`;
        return JSON.stringify(await runInContext(script, createContext({})));
      };
      assert.equal(await run(code), await run(before), how);
    }
  }
});

/** What programs put in the place of the engine's own functions, before a file is loaded. */
const PATCHES = {
  "a generator for the iterators of arrays":
    "Array.prototype[Symbol.iterator] = function* () { log.push('iterated'); for (let i = 0; i < this.length; i++) yield this[i] + 1; };",
  "a proxy of what makes the iterators of arrays":
    "Array.prototype[Symbol.iterator] = new Proxy([].values, { apply: (f, self) => (log.push('iterated'), f.call(self)) });",
  "another `next` for the iterators of arrays":
    "{ const made = Object.getPrototypeOf([].values()), { next } = made; made.next = function () { log.push('next'); return next.call(this); }; }",
  "a bound `next` for them":
    "{ const made = Object.getPrototypeOf([].values()); made.next = (function () { log.push('next'); return { done: true }; }).bind(null); }",
  "another `isArray`": "Array.isArray = () => true;",
  "a proxy of the `then` of promises":
    "Promise.prototype.then = new Proxy(Promise.prototype.then, { apply: (f, self, args) => (self === odd && log.push('then'), Reflect.apply(f, self, args)) });",
  "a bound `then`":
    "{ const { then } = Promise.prototype; Promise.prototype.then = (function (resolve) { log.push('then'); return then.call(odd, resolve); }).bind(null); }",
  "accessors that descriptors inherit": "Object.prototype.get = Object.prototype.set = () => 1;",
  "one of the name of the engine's":
    "{ const made = { then(...args) { if (this === odd) log.push('[native code]'); return then.apply(this, args); } }, { then } = Promise.prototype; Promise.prototype.then = made.then; }",
};

for (const [name, patch] of Object.entries(PATCHES)) {
  it(`goes by what programs put in the place of the engine's functions: ${name}`, async () => {
    const source = `async function given(x) { DIRECTIVE if (x === 0) await x; return x; }
      async function sum(xs) { DIRECTIVE let all = 0; for (const x of xs) all += await x; return all; }
      class Sums { async one(x) { DIRECTIVE return await given(x); } async two(x) { DIRECTIVE return [await this.one(x), await this.one(2)]; } }
      return async (x) => { await null; return [await given(x), await sum([1, 2]), await sum(new Set([3])), await new Sums().two(x)]; };`;
    for (const directive of ["", '"perhaps async";']) {
      const text = source.replaceAll("DIRECTIVE", directive);
      const load = (it) => `(() => { ${it} })()`;
      const run = (it) =>
        runInContext(
          `var odd = Promise.resolve(1); ${patch} ${load(it)}(odd).then((results) => JSON.stringify({ results, log }))`,
          createContext({ log: [] }),
        );
      for (const ticks of ["relaxed", "exact"]) {
        const { code } = optimize(text, { file: "patched.cjs", ticks });
        assert.equal(await run(code), await run(text), ticks);
      }
    }
  });
}
