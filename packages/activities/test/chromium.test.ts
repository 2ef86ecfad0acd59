import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { build } from "esbuild";
import type { Browser } from "playwright-core";

import { launch, skip } from "../../report/test/chromium.js";
import { compiled, generators, written } from "./ways.js";

interface Outcome {
  readonly title: string;
  readonly seen: unknown[];
  readonly wanted: unknown[][];
}

/** The script that a page runs: `browser.ts` with the rows in their forms. */
async function script(): Promise<string> {
  for (const name of ["semantics", "property", "native"]) {
    written(name, "chromium-compiled", compiled);
  }
  written("semantics", "chromium-generators", generators);
  const entry = fileURLToPath(new URL("browser.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "iife",
    write: false,
    target: "es2023",
  });
  return outputFiles[0]?.text ?? "";
}

describe("in Chromium", { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser.close();
  });

  it("means the same, compiled and with generators", async () => {
    const page = await browser.newPage();
    await page.addScriptTag({ content: await script() });
    const all = await page.evaluate<Record<string, Outcome[]>>("semantics()");
    for (const [way, outcomes] of Object.entries(all)) {
      assert.ok(outcomes.length > 15);
      for (const { title, seen, wanted } of outcomes) {
        const fits = wanted.some((it) => isDeepStrictEqual(it, seen));
        assert.ok(fits, `${title} (${way}): ${JSON.stringify(seen)}`);
      }
    }
  });

  it("keeps random tasks apart", async () => {
    const page = await browser.newPage();
    await page.addScriptTag({ content: await script() });
    const seen = await page.evaluate<Record<string, number>>("random(20000)");
    assert.equal(seen["violations"], 0);
    assert.equal(seen["identity"], 0);
  });
});
