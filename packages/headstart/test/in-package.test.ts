import assert from "node:assert/strict";
import { it } from "node:test";

import { isOfOtherPackage } from "../src/in-package.js";

it("tells packages by the name behind the last node_modules", () => {
  const named = ["kept", "@scope/kept"];
  const cases: [string, boolean][] = [
    ["/app/src/main.js", false],
    ["/app/node_modules/other/index.js", true],
    ["/app/node_modules/kept/lib/index.js", false],
    ["/app/node_modules/@scope/kept/index.js", false],
    ["/app/node_modules/@scope/other/index.js", true],
    ["/app/node_modules/kept/node_modules/other/index.js", true],
    ["/app/node_modules/other/node_modules/kept/index.js", false],
    ["C:\\app\\node_modules\\@scope\\kept\\index.js", false],
  ];
  for (const [file, expected] of cases) assert.equal(isOfOtherPackage(file, named), expected, file);
});
