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

it("leaves functions as they are that would belong to a block", () => {
  const functions = [
    "async function f() { await 1; function g() {} { function g() {} } }",
    "async function f(g) { await 1; function g() {} }",
    "async function f() { await 1; function g() {} eval('var g'); }",
  ];
  for (const text of functions) {
    assert.equal(optimize(text, { atomic: true, file: "f.cjs" }).code, text);
    const strict = `"use strict"; ${text}`;
    assert.notEqual(optimize(strict, { atomic: true, file: "f.cjs" }).code, strict);
  }
});

it("takes what it needs as the module takes others", () => {
  const head = (text: string, file: string, commonjs?: boolean) =>
    /import|require\(/.exec(optimize(text, { atomic: true, file, commonjs }).code)?.[0];
  const own = "async function f() { await 1; }";
  assert.equal(head(own, "f.js"), "import");
  assert.equal(head(own, "f.js", true), "require(");
  assert.equal(head(own, "f.cjs"), "require(");
  assert.equal(head(`${own} module.exports = f;`, "f.js"), "require(");
  assert.equal(head(`${own} module.exports = f;`, "f.js", false), "import");
  assert.equal(head(`${own} typeof require;`, "f.mjs"), "import");
  assert.equal(head(`${own} export { f };`, "f.js", true), "import");
  assert.equal(head("await 1;", "f.js"), "import");
});
