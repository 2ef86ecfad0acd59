import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";

import { optimizeAsync, type OptimizeOptions } from "headstart";

import type { Options } from "../src/index.js";

import { Transformer } from "../src/transformer.js";

import { builtFile, BUNDLERS } from "./bundlers.js";
import { program, runBuilt } from "./project.js";

/** The files that are transformed with these options, in alphabetical order. */
async function transformed(bundler: string, optionsFor: (root: string) => Options) {
  const root = program();
  const files = new Set<string>();
  const report = (file: string) => void files.add(basename(file));
  await BUNDLERS[bundler]?.build({ root, options: { ...optionsFor(root), report } });
  return [...files].sort();
}

describe("a file that does not parse", () => {
  for (const [name, { build }] of Object.entries(BUNDLERS)) {
    it(`is named by ${name}, and left to it`, async () => {
      const root = program();
      writeFileSync(join(root, "src/broken.js"), "let ä;\n/* ä */ async function () {}\n");
      appendFileSync(join(root, "src/main.ts"), 'import "./broken.js";\n');
      const warnings: string[] = [];
      const job = { root, options: {}, warned: (text: string) => void warnings.push(text) };
      await assert.rejects(build(job), /broken\.js/);
      const ours = warnings.filter((text) => text.includes("headstart leaves this file as it is"));
      assert.equal(ours.length, 1, warnings.join("\n"));
      assert.match(ours[0] ?? "", /broken\.js:2:24: .*the option "exclude"/);
    });
  }
});

describe("options", () => {
  for (const bundler of ["rolldown", "rspack", "esbuild"]) {
    it(`choose modules, with ${bundler}`, async () => {
      assert.deepEqual(await transformed(bundler, () => ({ exclude: /p\w+\.ts$/ })), [
        "index.js",
        "main.ts",
        "store.js",
      ]);
      assert.deepEqual(await transformed(bundler, (root) => ({ include: `${root}/src/p*.ts` })), [
        "pay.ts",
        "price.ts",
      ]);
    });
  }

  it("are handed on to optimize", async () => {
    const root = program();
    await BUNDLERS["rollup"]?.build({ root, options: { ticks: "exact" } });
    assert.equal(runBuilt(builtFile(root)).isFast["total"], false);
  });

  it("say whether types stay, which bundlers take off", async () => {
    for (const [options, expected] of [
      [{}, false],
      [{ keepTypes: true }, true],
    ] as const) {
      const given: OptimizeOptions[] = [];
      const optimizer: typeof optimizeAsync = (code, options = {}) => {
        given.push(options);
        return optimizeAsync(code, options);
      };
      await new Transformer(options, { optimizer }).transform("async () => 1;", "/a.ts", false);
      assert.deepEqual(
        given.map((it) => it.keepTypes),
        [expected],
      );
    }
  });

  for (const [name, { build }] of Object.entries(BUNDLERS)) {
    it(`that are wrong are named at once, with ${name}`, async () => {
      const wrong = (options: object) => async () => {
        await build({ root: program(), options });
      };
      await assert.rejects(
        wrong({ keepframes: true }),
        /unknown option "keepframes".*"keepFrames"/,
      );
      const values = /the option "ticks" of optimize is "relaxed" or "exact", not "fast"/;
      await assert.rejects(wrong({ ticks: "fast" }), values);
      await assert.rejects(
        wrong({ restore: "no" }),
        /"restore" of optimize is true or false, not "no"/,
      );
      await assert.rejects(
        wrong({ whole: "yes" }),
        /"whole" of unplugin-headstart is true or false, not "yes"/,
      );
      await assert.rejects(
        wrong({ whole: true, ticks: "exact" }),
        /"whole" of unplugin-headstart needs "functions": "all" and "ticks": "relaxed"/,
      );
    });
  }
});
