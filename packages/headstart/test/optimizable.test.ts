import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";

import { mayBeOptimizable } from "../src/optimize.js";
import { project, writeFiles } from "./temp.js";

describe("what is optimised", () => {
  it("is told from other files by a look at them", () => {
    const folder = project();
    const told = (text: string) => {
      writeFiles(folder, { "a.js": text });
      return mayBeOptimizable(join(folder, "a.js"));
    };
    assert.equal(told("export const f = async () => 1;"), true);
    assert.equal(told("await f();"), true);
    assert.equal(told("\uFEFFexport const é = (wait, sync) => 1;"), false);
    assert.equal(told(""), false);
    // Whoever reads it finds out what is wrong.
    assert.equal(mayBeOptimizable(join(folder, "none.js")), true);
  });
});
