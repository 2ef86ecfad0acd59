import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";

import { optimizeAsync, type OptimizeOptions } from "headstart";
import { rollup } from "rollup";

import forRollup from "../dist/rollup.js";

import type { Options } from "../src/index.js";

import { Transformer, warningOf } from "../src/transformer.js";

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

const TEXT = 'export async function f(x) { return (await x) + "\ud800"; }';

describe("a module with half of a character", () => {
  it("is left as it is, with a warning", async () => {
    const outcome = await new Transformer({}).transform(TEXT, "/a.js", true);
    assert.ok(outcome.kind === "problem");
    assert.match(
      warningOf(outcome.problem),
      /a\.js:1:50: .*lone surrogate.*leaves this file as it/,
    );
  });

  it("is built all the same", async () => {
    const root = program();
    const input = join(root, "half.js");
    writeFileSync(input, "");
    // Files hold none, but what another plugin makes may.
    const halving = { name: "halving", load: () => TEXT };
    const warnings: string[] = [];
    const onLog = (_: unknown, { message }: { message: string }) => void warnings.push(message);
    const build = await rollup({ input, onLog, plugins: [halving, forRollup({ whole: false })] });
    const { output } = await build.generate({});
    await build.close();
    assert.match(output[0].code, /async function f/);
    assert.match(warnings.join("\n"), /half\.js:1:50: .*lone surrogate/);
  });
});

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

/** Values that options cannot have. */
const WRONG = {
  include: 5,
  exclude: ["*.js", 5],
  packages: "x",
  report: "yes",
  dev: 1,
};

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
      [{ keepTypes: undefined }, false],
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
        wrong({ bogus: 1 }),
        /unknown option "bogus" of unplugin-headstart; expected .*"include", "exclude", "packages", "report", "whole" or "dev"/,
      );
      await assert.rejects(
        wrong({ exlude: "*.js" }),
        /unknown option "exlude" of unplugin-headstart; did you mean "exclude"/,
      );
      for (const [name, value] of Object.entries(WRONG)) {
        await assert.rejects(
          wrong({ [name]: value }),
          (error: Error) =>
            error.message.includes(`the option "${name}" of unplugin-headstart is `) &&
            error.message.includes(`, not ${JSON.stringify(value)}`),
        );
      }
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
