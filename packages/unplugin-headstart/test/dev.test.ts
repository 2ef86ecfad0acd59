import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { createServer } from "vite";

import type { Options } from "../src/index.js";

import forVite from "../dist/vite.js";
import { builtFile, BUNDLERS } from "./bundlers.js";
import { program, runBuilt } from "./project.js";

type Total = (basket: object, prices: object) => unknown;
const BASKET = { lines: [{ name: "tea", count: 1 }] };

/** What Vite's development server gives to a server that renders, and what it gives to a page. */
async function served(options: Options) {
  const server = await createServer({
    root: program(),
    configFile: false,
    logLevel: "silent",
    server: { middlewareMode: true },
    plugins: [forVite(options)],
    appType: "custom",
  });
  try {
    const { total } = (await server.ssrLoadModule("/src/price.ts")) as { total: Total };
    const page = await server.transformRequest("/src/price.ts");
    return { total, code: page?.code ?? "" };
  } finally {
    await server.close();
  }
}

describe("the development server of Vite", () => {
  it("is left alone", async () => {
    const { total, code } = await served({});
    const promise = total(BASKET, { get: () => 5 });
    assert.ok(promise instanceof Promise);
    assert.equal(await promise, 5);
    assert.doesNotMatch(code, /total\$rest/);
  });

  it("optimises what it serves where an option asks for it", async () => {
    const { total, code } = await served({ dev: true });
    assert.equal(total(BASKET, { get: () => 5 }), 5);
    assert.equal(await total(BASKET, { get: () => Promise.resolve(5) }), 5);
    assert.match(code, /total\$rest/);
  });
});

describe("the mode for development", () => {
  for (const name of ["webpack", "rspack"]) {
    const { build, watch } = BUNDLERS[name] ?? assert.fail();
    const isFast = (root: string) => runBuilt(builtFile(root)).isFast["total"];

    for (const [options, expected] of [
      [{}, false],
      [{ dev: true }, true],
    ] as const) {
      it(`of ${name} that watches: ${JSON.stringify(options)}`, async () => {
        const root = program();
        const { close } = await watch({ root, options, mode: "development" });
        await close();
        assert.equal(isFast(root), expected);
      });
    }

    it(`of ${name} that only builds is a build`, async () => {
      const root = program();
      await build({ root, options: {}, mode: "development" });
      assert.equal(isFast(root), true);
    });
  }
});
