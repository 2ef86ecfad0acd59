// What a program nests or lists, and how much of it: what runs before runs afterwards.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "headstart";

const times = (count, text) => Array.from({ length: count }, (_, at) => text(at)).join("");
const nested = (count, open, middle, close) => open.repeat(count) + middle + close.repeat(count);

/** Bodies of functions, for how much of something. */
const SHAPES = {
  "conditions in one another": (n) => `return ${"x ? 1 : ".repeat(n)}await x;`,
  "branches behind one another": (n) =>
    `${times(n, (at) => `if (x === ${-at - 1}) x = await ${at}; else `)}x = 7; return x;`,
  "branches in one another": (n) => `${nested(n, "if (x) {", "x = await x;", "}")} return x;`,
  "blocks in one another": (n) => `${nested(n, "{", "x = await x;", "}")} return x;`,
  "loops in one another": (n) =>
    `${nested(n, "for (const a of [1]) {", "x = await x;", "}")} return x;`,
  "cases of a switch": (n) =>
    `switch (await x) { ${times(n, (at) => `case ${at}: ${at % 50 === 0 ? "await 0;" : ""} x = ${at}; break;\n`)} default: x = await 3; } return x;`,
  "functions in one another": (n) =>
    nested(
      n,
      'const g = async (y) => { "perhaps async"; await x; await y; ',
      "return await x;",
      " }; return await g(x);",
    ),
};

/** What a function gives for a value and for a promise of it; nothing if the engine cannot take its text. */
async function results(code) {
  try {
    const f = new Function(`${code}\nreturn f;`)();
    return [await f(1), await f(Promise.resolve(1)), await f(0)];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

describe("so many of these do the same:", () => {
  for (const [name, body] of Object.entries(SHAPES)) {
    it(name, async () => {
      for (const count of [3, 30, 500, 1_000, 2_500]) {
        const text = `async function f(x) { "perhaps async"; ${body(count)} }`;
        const expected = await results(text);
        if (expected === undefined) continue;
        const { code } = optimize(text, { file: "nesting.cjs" });
        assert.ok(code.length < 50 * text.length + 2_000, `${count}: ${code.length} characters`);
        assert.deepEqual(await results(code), expected, `${count}`);
      }
    });
  }
});

it("names what is wrong with the text, not what it becomes", () => {
  const text = `const a = 1; const a = 2; async function f(x) { "perhaps async"; return await x; }`;
  assert.throws(() => optimize(text, { file: "early.mjs" }), /already been declared/);
});
