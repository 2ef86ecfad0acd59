import assert from "node:assert/strict";
import { it } from "node:test";

import { chosen } from "../src/options.js";

const TEXT = "export async function f(x) { return (await x) + 1; }\n";

it("compiles the gate of atomic blocks into modules, and into packages that are named", async () => {
  const { isIncluded, transformer } = chosen({ atomic: true, packages: ["named"] });
  const outcome = await transformer.transform(TEXT, "/app/f.js", false);
  assert.equal(outcome.kind, "changed");
  assert.match(outcome.result.code, /from "headstart-activities\/runtime"/);
  assert.ok(isIncluded("/app/f.js"));
  assert.ok(isIncluded("/app/node_modules/named/index.js"));
  assert.ok(!isIncluded("/app/node_modules/other/index.js"));
});
