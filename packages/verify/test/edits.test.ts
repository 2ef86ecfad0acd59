import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { applyEdits, lineAt, offsetOfLine, placeAfter, placeBefore } from "../src/edits.js";

const TEXT = "one\ntwo\nthree\nfour\n";
const EDITS = [
  { start: 8, end: 13, text: "3\n3a\n3b" },
  { start: 0, end: 0, text: "zero\n" },
];

describe("edits", () => {
  it("are carried out in the order of the text", () => {
    assert.equal(applyEdits(TEXT, EDITS), "zero\none\ntwo\n3\n3a\n3b\nfour\n");
  });

  it("put once what several insert at one place with the same text", () => {
    const helper = { start: TEXT.length, end: TEXT.length, text: "five\n" };
    const edits = [helper, ...EDITS, { ...helper }, { ...helper, text: "six\n" }];
    const after = applyEdits(TEXT, edits);
    assert.equal(after, "zero\none\ntwo\n3\n3a\n3b\nfour\nfive\nsix\n");
    assert.equal(placeAfter(TEXT.indexOf("four"), edits), after.indexOf("four"));
    assert.equal(placeBefore(after.indexOf("six"), edits), TEXT.length);
  });

  const after = applyEdits(TEXT, EDITS);
  for (const word of ["one", "two", "four"]) {
    it(`move "${word}" to where it is found again`, () => {
      assert.equal(placeAfter(TEXT.indexOf(word), EDITS), after.indexOf(word));
      assert.equal(placeBefore(after.indexOf(word), EDITS), TEXT.indexOf(word));
    });
  }

  it("were where they begin", () => {
    assert.equal(placeBefore(after.indexOf("3b"), EDITS), 8);
    assert.equal(lineAt(TEXT, placeBefore(offsetOfLine(after, 5), EDITS)), 3);
  });
});
