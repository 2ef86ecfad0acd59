import assert from "node:assert/strict";
import { test } from "node:test";

import { codeAttribute, Places } from "../src/places.js";

function attributes(values: Readonly<Record<string, string>>): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (const [name, value] of Object.entries(values)) found[codeAttribute(name)] = value;
  return found;
}

const NEW = { file: "code.file.path", line: "code.line.number", column: "code.column.number" };
const STACK = "    at f (a.js:1:2)\n    at b.js:3:4";
const CALLERS = [{ file: "b.js", line: 3, column: 4, callers: [] }];

await test("the same attributes are the same place, others another one", () => {
  const places = new Places();
  const of = (values: Readonly<Record<string, string>>) => places.of(attributes(values));
  const plain = of({ [NEW.file]: "a.js", [NEW.line]: "1" });
  assert.deepEqual(plain, { file: "a.js", line: 1, column: 0, callers: [] });
  assert.equal(of({ "code.filepath": "a.js", "code.lineno": "1" }), plain);
  // All but one of what they say is the same.
  for (const [values, expected] of [
    [
      { [NEW.file]: "b.js", [NEW.line]: "1" },
      { file: "b.js", line: 1, column: 0, callers: [] },
    ],
    [
      { [NEW.file]: "a.js", [NEW.line]: "2" },
      { file: "a.js", line: 2, column: 0, callers: [] },
    ],
    [
      { [NEW.file]: "a.js", [NEW.line]: "1", [NEW.column]: "5" },
      { file: "a.js", line: 1, column: 5, callers: [] },
    ],
    [
      { [NEW.file]: "a.js", [NEW.line]: "1", "code.stacktrace": STACK },
      { file: "a.js", line: 1, column: 0, callers: CALLERS },
    ],
    [
      { [NEW.file]: "z.js", [NEW.line]: "1", "code.stacktrace": STACK },
      { file: "z.js", line: 1, column: 0, callers: CALLERS },
    ],
    [{ "code.stacktrace": STACK }, { file: "a.js", line: 1, column: 2, callers: CALLERS }],
    [{ [NEW.file]: "a.js" }, undefined],
    [{ [NEW.file]: "a.js", [NEW.line]: "0" }, undefined],
    [{}, undefined],
  ] as const) {
    assert.deepEqual(of(values), expected);
    assert.deepEqual(of(values), expected);
  }
  assert.deepEqual(of({ [NEW.file]: "a.js", [NEW.line]: "1" }), plain);
});

await test("new names go before old ones, in any order", () => {
  for (const values of [
    { "code.filepath": "old.js", [NEW.file]: "new.js", "code.lineno": "2", [NEW.line]: "1" },
    { [NEW.file]: "new.js", "code.filepath": "old.js", [NEW.line]: "1", "code.lineno": "2" },
  ]) {
    const place = new Places().of(attributes(values));
    assert.deepEqual(place, { file: "new.js", line: 1, column: 0, callers: [] });
  }
});

await test("however many places there are, each is told", () => {
  const places = new Places();
  for (let line = 1; line <= 25_000; line++) {
    const place = places.of(attributes({ [NEW.file]: "a.js", [NEW.line]: `${line}` }));
    assert.equal(place?.line, line);
  }
});
