import assert from "node:assert/strict";
import { it } from "node:test";
import { optimize } from "headstart";

import { compiled } from "./ways.js";

it("leaves what does not suspend as it is", () => {
  const text = "export async function f() { return g(); }\nexport const h = () => 1;\n";
  assert.equal(compiled(text), text);
});

it("lists what does not pass the gate", () => {
  const text =
    "export async function f(p) {\n  p.then((x) => x);\n  setTimeout(() => f(p), 1);\n  for await (const { x } of p) g(x);\n}\n";
  const { ungated } = optimize(text, { atomic: true, file: "f.mjs" });
  assert.deepEqual(
    ungated.map(({ kind, line }) => [kind, line]),
    [
      ["handler", 2],
      ["callback", 3],
      ["pattern", 4],
    ],
  );
});

it("leaves functions as they are that declare a name twice", () => {
  const text = "async function f() { await 1; function g() {} var g; }\n";
  const { code, ungated } = optimize(text, { atomic: true, file: "f.cjs" });
  assert.equal(code, text);
  assert.deepEqual(
    ungated.map((it) => it.kind),
    ["function"],
  );
});
