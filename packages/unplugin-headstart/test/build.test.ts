import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { builtFile, BUNDLERS } from "./bundlers.js";
import { program, runBuilt } from "./project.js";

describe("a build", () => {
  for (const [name, { build }] of Object.entries(BUNDLERS)) {
    it(`with ${name} does what it did, without promises that nothing waits for`, async () => {
      const [plain, fast] = [program(), program()];
      await build({ root: plain, options: null });
      await build({ root: fast, options: {} });
      const before = runBuilt(builtFile(plain));
      const after = runBuilt(builtFile(fast));
      assert.deepEqual(before.results, [940, 940, 300, 7.5, 1080]);
      assert.deepEqual(after.results, before.results);
      assert.deepEqual(before.isFast, { total: false, get: false, convert: false });
      // The program awaits `get` at once: it has a fast form for that, and stays async for all others. What is in
      // node_modules is left alone.
      assert.deepEqual(after.isFast, { total: true, get: false, convert: false });
      assert.match(readFileSync(builtFile(fast), "utf8"), /headstart\.fast\.get\b/);
    });

    it(`with ${name} has traces that name the lines of the source`, async () => {
      const root = program();
      await build({ root, options: {} });
      const { stack } = runBuilt(builtFile(root));
      assert.match(stack, /^Error: too much$/m);
      assert.match(stack, /src\/pay\.ts:6:/);
      assert.match(stack, /src\/pay\.ts:12:/);
    });
  }
});
