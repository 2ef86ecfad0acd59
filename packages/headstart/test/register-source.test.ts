import assert from "node:assert/strict";
import { it } from "node:test";

import { optimize } from "../src/optimize.js";
import { optimizedSource } from "../src/register-source.js";

it("what Node loads needs no types: nothing stands there for them", () => {
  const text = `async function f(x: number) { if (x) await x; return x; }
    export async function g() { await null; for (const it of [1]) console.log(await f(it)); }`;
  assert.match(optimize(text, { file: "/a.ts" }).code, /\$never \? await f\(it\) :/);
  assert.doesNotMatch(optimize(text, { file: "/a.ts", keepTypes: false }).code, /\$never/);
  const loaded = optimizedSource(text, "/a.ts", {});
  assert.match(loaded, /\$then/);
  assert.doesNotMatch(loaded, /\$never/);
});
