import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { rebaseGlobs } from "../src/exclude.js";

describe("rebaseGlobs", () => {
  const cases: [glob: string, below: string, expected: string[]][] = [
    ["a/b", "", ["a/b"]],
    ["*.gen.ts", "packages/a", ["*.gen.ts"]],
    ["build/", "packages/a", ["build/"]],
    ["/packages/a/gen", "packages/a", ["/gen"]],
    ["packages/a/gen/", "packages/a", ["/gen/"]],
    ["packages/*/gen/*.ts", "packages/a", ["/gen/*.ts"]],
    ["packages/b/gen", "packages/a", []],
    ["packages/[ab]/gen", "packages/a", ["/gen"]],
    ["packages/[!a]/gen", "packages/a", []],
    ["packages/?.c/gen", "packages/a.c", ["/gen"]],
    ["packages/a.c/gen", "packages/abc", []],
    ["packages/\\*/gen", "packages/a", []],
    ["**/gen/x", "packages/a", ["/**/gen/x"]],
    ["**/a/x", "packages/a", ["/**/a/x", "/x"]],
    ["packages/**/x", "packages/a", ["/**/x"]],
    ["packages/**", "packages/a", ["/**"]],
    ["packages", "packages/a", ["*"]],
    ["/packages/", "packages/a", ["*"]],
    ["packages/a", "packages/a", ["*"]],
    ["!packages/a/gen/keep.ts", "packages/a", ["!/gen/keep.ts"]],
    ["!packages/a", "packages/a", ["!*"]],
    ["[z-a]/x", "packages/a", ["[z-a]/x"]],
  ];
  for (const [glob, below, expected] of cases) {
    it(`turns ${glob} into ${JSON.stringify(expected)} for "${below}"`, () => {
      assert.deepEqual(rebaseGlobs([glob], below), expected);
    });
  }
});
