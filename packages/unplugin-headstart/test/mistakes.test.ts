import assert from "node:assert/strict";
import { it } from "node:test";

import type { Optimized } from "headstart";

import { Transformer } from "../src/transformer.js";

/** What `optimize` gives for a file with a function that it could not convert by a mistake. */
function answer(code: string, changed: boolean, mistake: boolean): Optimized {
  const place = { name: "f", line: 3, column: 1, offset: 0 };
  const found = { startPosition: { line: 3, column: 1 }, length: 10, callees: [] };
  const calls = { awaited: 0, other: 0 };
  const outcome = { kind: "kept", reason: "for a reason" } as const;
  const functions = [{ ...place, ...found, calls, eased: { count: 0, of: [] }, mistake, outcome }];
  return { code, changed, map: null, mapText: null, functions, ungated: [] };
}

it("says whose mistake it is that a function stays as it is, whether or not all else is optimised", async () => {
  for (const changed of [true, false]) {
    for (const mistake of [true, false]) {
      const optimizer = (code: string) => Promise.resolve(answer(code, changed, mistake));
      const transformer = new Transformer({}, { optimizer });
      const outcome = await transformer.transform("async () => {}", "a.js", false);
      assert.ok(outcome.kind !== "problem");
      assert.equal(outcome.kind, changed ? "changed" : "same");
      const [said] = outcome.warnings;
      if (mistake) assert.match(said ?? "", /^a\.js: what becomes of f \(line 3\) does not parse/);
      else assert.equal(said, undefined);
    }
  }
});
