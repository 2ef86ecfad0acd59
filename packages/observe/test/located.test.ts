import assert from "node:assert/strict";
import { test } from "node:test";

import { VERSION } from "../src/evidence.js";
import { withObservation } from "../src/instrument.js";
import { located, parseEvidence } from "../src/located.js";

/** Where the awaits of a text are told to be when it has become another one. */
function places(before: string, after: string): string[] {
  const awaits = withObservation("a.js", before, 0).awaits.map((place) => {
    return { ...place, calls: 1, ms: 1, longestMs: 1, operations: [], inner: [] };
  });
  const head = { tool: "", createdAt: "", project: ".", command: [], share: 1 };
  const evidence = parseEvidence(JSON.stringify({ ...head, version: VERSION, awaits }));
  return located(evidence, () => after).awaits.map(({ line, column }) => `${line}:${column}`);
}

const ONE = "async function one() { await a(); }\n";
const TWO = "const two = async () => {\n  await b();\n};\n";

await test("lines and columns are those of the language", () => {
  for (const end of ["\n", "\r\n", "\r", "\u2028", "\u2029"])
    assert.deepEqual(places(`//${end}${ONE}`, `//${end}${ONE}`), ["2:24"], JSON.stringify(end));
  assert.deepEqual(places(`\uFEFF${ONE}`, `\uFEFF${ONE}`), ["1:24"]);
});

await test("functions that have moved are found, those that have changed are not", () => {
  assert.deepEqual(places(ONE + TWO, `//\n${TWO}//\n${ONE}`), ["6:24", "3:3"]);
  assert.deepEqual(places(ONE + TWO, ONE + TWO.replace("b()", "c()")), ["1:24"]);
  assert.deepEqual(places(ONE, ""), []);
});

await test("of functions that are alike nobody knows which was which", () => {
  assert.deepEqual(places(ONE + TWO + ONE, TWO + ONE), ["2:3"]);
  assert.deepEqual(places(ONE + TWO, ONE + ONE + TWO), ["4:3"]);
});

await test("what is around an inner function counts for it", () => {
  const outer =
    "function make(kit) {\n  const first = kit.look;\n  return async () => { await first(); };\n}\n";
  assert.deepEqual(places(outer, `//\n${outer}`), ["4:24"]);
  assert.deepEqual(places(outer, outer.replace("kit.look", "kit.book")), []);
});
