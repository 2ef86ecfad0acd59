import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { closest, didYouMean, editDistance, listed } from "../src/suggest.js";

describe("editDistance", () => {
  const cases: [string, string, number][] = [
    ["", "", 0],
    ["", "abc", 3],
    ["check", "check", 0],
    ["chekc", "check", 1],
    ["fxi", "fix", 1],
    ["kitten", "sitting", 3],
  ];
  for (const [a, b, distance] of cases) {
    it(`of "${a}" and "${b}" is ${distance}, either way round`, () => {
      assert.equal(editDistance(a, b), distance);
      assert.equal(editDistance(b, a), distance);
    });
  }
});

describe("closest", () => {
  const names = ["--level", "--format", "--include-tests", "--config", "--deny"];

  it("finds slips, abbreviations and other spellings", () => {
    assert.equal(closest("--levle", names), "--level");
    assert.equal(closest("--conf", names), "--config");
    assert.equal(closest("--includeTests", names), "--include-tests");
    assert.equal(closest("-format", names), "--format");
  });

  it("does not guess wildly", () => {
    assert.equal(closest("--watch", names), undefined);
    assert.equal(closest("-", names), undefined);
    assert.equal(closest("x", ["fix"]), undefined);
  });
});

describe("didYouMean", () => {
  it("names the closest, else all", () => {
    assert.equal(didYouMean("lkely", ["safe", "likely"]), 'did you mean "likely"?');
    assert.equal(didYouMean("zzz", ["safe", "likely"]), 'expected "safe" or "likely"');
  });
});

describe("listed", () => {
  it("joins names", () => {
    assert.equal(listed(["a"]), '"a"');
    assert.equal(listed(["a", "b", "c"]), '"a", "b" or "c"');
  });
});
