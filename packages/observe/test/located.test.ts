import assert from "node:assert/strict";
import { test } from "node:test";

import { VERSION } from "../src/evidence.js";
import { withObservation } from "../src/instrument.js";
import { located, parseEvidence, together } from "../src/located.js";

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

await test("what a name is imported from counts for who uses it", () => {
  const of = (imports: string): string => `${imports}\n${ONE}${TWO}`;
  const before = of('import { a, b as other } from "kit";');
  assert.deepEqual(places(before, of('import { c, a } from "kit";')), ["2:24", "4:3"]);
  for (const imports of ['import { z as a } from "kit";', 'import { a } from "other";', ""])
    assert.deepEqual(places(before, of(imports)), ["4:3"], imports);
  const required = of('const { a, b: other } = require("kit");');
  assert.deepEqual(places(required, of('const { a } = require("kit");')), ["2:24", "4:3"]);
  assert.deepEqual(places(required, of('const { z: a } = require("kit");')), ["4:3"]);
  assert.deepEqual(places(of('import * as a from "kit"'), of('import a from "kit"')), ["4:3"]);
});

await test("an await that begins in a function that has changed is outdated, and so is what it is part of", () => {
  const text = ONE + TWO;
  const awaits = withObservation("a.js", text, 0).awaits.map((place, index) => {
    return {
      ...place,
      calls: 1,
      ms: 1,
      longestMs: 1,
      operations: [],
      inner: index === 0 ? [1] : [],
    };
  });
  const head = {
    tool: "",
    createdAt: "",
    project: ".",
    command: [],
    share: 1,
    version: VERSION,
  } as const;
  const now = (today: string): (readonly number[] | null)[] =>
    located({ ...head, awaits }, () => today).awaits.map(({ inner }) => inner);
  assert.deepEqual(now(`//\n${TWO}${ONE}`), [[1], []]);
  assert.deepEqual(now(text.replace("b()", "c()")), [null]);
  const [one, two] = located({ ...head, awaits }, () => text).awaits.map((it) => ({
    ...it,
    line: it.line + 1,
  }));
  assert.ok(one !== undefined && two !== undefined);
  const other = { ...one, inner: [1], calls: 2 };
  assert.deepEqual(
    together([[two], [{ ...one, inner: null }], [other, two]]).map(({ line, calls, inner }) => [
      line,
      calls,
      inner,
    ]),
    [
      [two.line, 2, []],
      [one.line, 3, [0]],
    ],
  );
});

await test("what is around an inner function counts for it", () => {
  const outer =
    "function make(kit) {\n  const first = kit.look;\n  return async () => { await first(); };\n}\n";
  assert.deepEqual(places(outer, `//\n${outer}`), ["4:24"]);
  assert.deepEqual(places(outer, outer.replace("kit.look", "kit.book")), []);
});
