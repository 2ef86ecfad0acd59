import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";

import { builtFile, BUNDLERS } from "./bundlers.js";
import { program, runBuilt } from "./project.js";

describe("watching", () => {
  for (const [name, { watch }] of Object.entries(BUNDLERS)) {
    it(`with ${name} transforms again only what changed`, { timeout: 60_000 }, async () => {
      const root = program();
      const transformed: string[] = [];
      const report = (file: string) => void transformed.push(basename(file));
      const { rebuilt, close } = await watch({ root, options: { report } });
      try {
        assert.deepEqual(transformed.sort(), ["main.ts", "pay.ts", "price.ts", "store.js"]);
        assert.deepEqual(runBuilt(builtFile(root)).results[2], 300);

        transformed.length = 0;
        const store = join(root, "src/store.js");
        const text = readFileSync(store, "utf8");
        writeFileSync(store, text.replace("await this.load(name)", "1 + (await this.load(name))"));
        await rebuilt();
        assert.deepEqual(transformed, ["store.js"]);
        const { results } = runBuilt(builtFile(root));
        assert.equal(results[2], 301);
        assert.match(readFileSync(builtFile(root), "utf8"), /headstart\.fast\.get\b/);
      } finally {
        await close();
      }
    });
  }
});
