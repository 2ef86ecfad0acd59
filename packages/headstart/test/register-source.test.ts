import assert from "node:assert/strict";
import { it } from "node:test";

import { optimize } from "../src/optimize.js";
import { optimizedSource } from "../src/register-source.js";

it("what Node loads needs no types: functions are converted that do not say what they return", () => {
  const text = `async function f(x: number) { if (x) await x; return x; }
    export async function g() { await null; return await f(1); }`;
  assert.equal(optimize(text, { file: "/a.ts" }).changed, false);
  assert.equal(optimize(text, { file: "/a.ts", keepTypes: false }).changed, true);
  assert.notEqual(optimizedSource(text, "/a.ts", {}), text);
});
