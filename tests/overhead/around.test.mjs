// What stands around a function: variables that it may read before they have a value, and `eval`.
import assert from "node:assert/strict";
import { it } from "node:test";

import { optimize } from "headstart";

it("reads in front of an await what may not be declared yet, and all else where it stands", () => {
  const body = '{ "perhaps async"; return [x, await op()]; }';
  const [made, declared] = [`const f = async () => ${body};`, `async function f() ${body}`];
  const early = {
    [`const x = 1; ${made}`]: false,
    [`${made} const x = 1;`]: true,
    [`let x = 1; ${declared} f();`]: false,
    [`f(); class x {} ${declared}`]: true,
    [`function g() { return f(); } const x = 1; ${declared} g();`]: false,
    [`g(); function g() { return f(); } const x = 1; ${declared}`]: true,
    [`const x = async () => ${body};`]: false,
    [`class x { async m() ${body} static n = async () => ${body}; }`]: false,
    [`class x { @now async m() ${body} }`]: true,
    // Modules that import one another in a cycle call functions before the file itself has run.
    [`const x = 1; export ${declared}`]: true,
    [`const x = 1; ${declared} export { f };`]: true,
    [`const x = 1; export default ${declared}`]: true,
  };
  for (const [text, expected] of Object.entries(early)) {
    const { code } = optimize(`import { op } from "./op.mjs"; ${text}`, { file: "f.mjs" });
    assert.equal(/= x;/.test(code), expected, text);
  }
  // Other scripts of a page see what stands at the top, and may assign to it.
  for (const [file, expected] of [
    ["f.js", true],
    ["f.cjs", false],
  ]) {
    const { code } = optimize(`let x = 1; ${made}`, { file });
    assert.equal(/= x;/.test(code), expected, file);
  }
});

it("leaves alone what stands in code that calls `eval`, which may declare anything", () => {
  const f = 'return async () => { "perhaps async"; await 1; return q; };';
  for (const text of [
    `function outer(code) { eval(code); ${f} }`,
    `function outer(code, x = eval(code)) { ${f} }`,
    `const outer = (code) => { (() => (eval)(code))(); ${f} };`,
    `eval(code); function outer() { ${f} }`,
  ]) {
    const { functions } = optimize(text, { file: "f.cjs" });
    assert.match(functions[0].outcome.reason, /code around it calls `eval`/, text);
  }
});
