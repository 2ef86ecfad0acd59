/** What comes out of the paper's scheme does what the async function did, values or promises awaited. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DIRECTIVE, perhapsAsync } from "./paper-scheme.mjs";

/**
 * Functions with `log(name)`, which records the call and gives a value back, and `w(value)`, which
 * makes a promise of it or leaves it.
 */
const FUNCTIONS = {
  "two awaits in one sum": "const sum = (await w(log(1))) + (await w(log(2))); return sum * 10;",
  "what was read before an await":
    "let x = 1; const set = () => (x = 5); const r = x + (await w(set())); return [r, x];",
  "arguments in order":
    "return log(log(1), await w(log(2)), log(3), ...[log(4)], await w(log(5)));",
  "compound assignment": "let x = 2; x *= (x = 7, await w(log(3))); return x;",
  "compound assignment to a member":
    "const o = { n: 2 }; const p = () => (log('o'), o); p().n += await w(log(5)); return o.n;",
  "assignment to a computed member":
    "const o = {}; const k = () => log('key'); o[k()] = await w(log(9)); return o;",
  "and, or, ??":
    "const f = async (v) => v; return [0 && (await w(log(1))), 1 && (await w(log(2))), 0 || (await w(log(3))), 4 || (await w(log(4))), null ?? (await w(log(5)))];",
  "a condition in a condition": "return n && (m ? await w(log(1)) : (await w(log(0))) || log(2));",
  "if with and without else":
    "let s = ''; if (n) { s += await w(log('a')); } if (m) { s += 'b'; } else { s += await w(log('c')); } return s;",
  "an await in the test":
    "if ((await w(log(n))) && (await w(log(m)))) { return 'both'; } return 'not both';",
  "else if":
    "if (n === 2) { return await w('two'); } else if (n === 1) { await w(log(1)); } else { await w(log(0)); } return 'end';",
  "early return": "if (n) { return await w(log('early')); } log('late'); return 'late';",
  switch:
    "let s = ''; switch (n) { case 0: s += 'zero'; case 1: s += await w(log('one')); break; case 2: return 'two'; default: if (m) break; s += 'many'; } s += await w('end'); return s;",
  "switch on an await":
    "switch (await w(n)) { case 1: { log('one'); break; } default: log('other'); } return 'end';",
  "a block with names of its own": "let x = 1; { let x = await w(2); log(x); } return x;",
  throw: "if (n) { throw new Error(await w('thrown')); } return 'not';",
  rejection:
    "const x = await w(log(1)); if (n) { await Promise.reject(new Error('no')); } return x;",
  "object, array, template":
    "return { a: await w(log(1)), ...(await w({ b: log(2) })), c: [log(3), await w(4)], d: `${log(5)} ${await w(6)}` };",
  "several declarators":
    "const a = await w(1), b = a + (await w(2)), { c, d = b } = await w({ c: 3 }); return [a, b, c, d];",
  "this and arguments":
    "return [this.name, arguments.length, await w(log(1)), this.name, arguments[0]];",
  "a loop stays async": "let s = 0; for (let i = 0; i < 3; i += 1) { s += await w(i); } return s;",
  "a loop without awaits":
    "let s = await w(0); for (let i = 0; i < 3; i += 1) { if (i === m) continue; s += i; } return s + (await w(1));",
  "a nested function":
    "const f = async (v) => { 'perhaps async'; return (await w(v)) + 1; }; return await w(f(n));",
  "await of an await": "return await w(await w(log(await w(1))));",
  comma: "return (log(1), await w(2), log(3), await w(4));",
};

function compile(body, transform, wrap) {
  const text = `async function f(n, m) {\n${transform ? `"${DIRECTIVE}";` : ""}\n${body}\n}`;
  const calls = [];
  const log = (...values) => (calls.push(values), values[0]);
  const code = transform ? perhapsAsync(text).code : text;
  const f = new Function("log", "w", `${code}\nreturn f;`)(log, wrap);
  return { f, calls };
}

/** A synchronous throw counts as a rejection: the paper does not turn one into the other. */
async function observe(body, transform, wrap, args) {
  const { f, calls } = compile(body, transform, wrap);
  try {
    return { value: await f.apply({ name: "self" }, args), calls };
  } catch (error) {
    return { error: error.message, calls };
  }
}

const wraps = { values: (value) => value, promises: (value) => Promise.resolve(value) };

describe("the paper's scheme", () => {
  for (const [name, body] of Object.entries(FUNCTIONS)) {
    for (const [kind, wrap] of Object.entries(wraps)) {
      it(`${name}, ${kind}`, async () => {
        for (const n of [0, 1, 2]) {
          for (const m of [0, 1]) {
            const expected = await observe(body, false, wrap, [n, m]);
            assert.deepEqual(await observe(body, true, wrap, [n, m]), expected);
          }
        }
      });
    }
  }

  it("returns values where nothing waits", () => {
    const { f } = compile("return (await w(1)) + (await w(2));", true, wraps.values);
    assert.equal(f(), 3);
  });

  it("accepts the directive as a template literal", () => {
    const { functions } = perhapsAsync(
      "async function f() { `perhaps async`\n return await g(); }",
    );
    assert.deepEqual(functions, [{ line: 1, converted: true, reason: undefined }]);
  });

  it("says what it leaves as it was", () => {
    const bodies = {
      "an await in a loop": "while (await g()) {}",
      "an await in try": "try { await g(); } finally {}",
      "an await in a case that falls through": "switch (a) { case 1: await g(); case 2: }",
      "an await in a pattern": "const { c = await g() } = b;",
    };
    for (const [reason, body] of Object.entries(bodies)) {
      const code = `async function f(a, b) { "${DIRECTIVE}"; ${body} }`;
      assert.deepEqual(perhapsAsync(code).functions, [{ line: 1, converted: false, reason }]);
    }
  });
});
