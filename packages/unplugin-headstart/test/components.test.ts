import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";

import vue from "@vitejs/plugin-vue";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { type Plugin, rollup } from "rollup";
import rollupEsbuild from "rollup-plugin-esbuild";
import sveltePlugin from "rollup-plugin-svelte";
import { build } from "vite";

import forRollup from "../dist/rollup.js";
import forVite from "../dist/vite.js";
import { builtFile } from "./bundlers.js";
import { originsOf } from "./marks.js";
import { project, runBuilt } from "./project.js";

// Its types are those of a CommonJS module, which it is not.
const svelte = sveltePlugin as unknown as (options: object) => Plugin;

const FUNCTION = `export async function load(id: number): Promise<number> {
  "perhaps async";
  if ((await id) === 0) throw new Error("the mark");
  return (await id) + 1;
}`;

/** A program around a component that exports a function. */
function aroundComponent(name: string, text: string, framework: string): string {
  const root = project({
    "package.json": '{ "name": "around", "private": true, "type": "module" }',
    [`src/${name}`]: text,
    "src/main.ts": [
      `import Component, { load } from "./${name}";`,
      "const isFast = { load: typeof load(1) === 'number' };",
      "const results = [await load(1), typeof Component];",
      "console.log(JSON.stringify({ results, isFast, stack: '' }));",
    ].join("\n"),
    "node_modules/.keep": "",
  });
  const require = createRequire(import.meta.url);
  const installed = dirname(require.resolve(`${framework}/package.json`));
  symlinkSync(installed, join(root, "node_modules", framework));
  return root;
}

describe("a component", () => {
  for (const language of ["js", "ts"]) {
    it(`of Vue is optimised in a build of Vite: ${language}`, async () => {
      const script =
        language === "js" ? FUNCTION.replace(/: number|: Promise<number>/g, "") : FUNCTION;
      const component = `<script lang="${language}">\n${script}\n</script>\n<script setup lang="${language}">const x = 1;</script>\n<template><p @click="async () => 1">{{ x }}</p></template>\n<style>p { color: red }</style>\n`;
      const root = aroundComponent("App.vue", component, "vue");
      const entry = join(root, "src/main.ts");
      await build({
        root,
        configFile: false,
        logLevel: "silent",
        plugins: [vue(), forVite()],
        build: {
          outDir: "out",
          sourcemap: true,
          minify: false,
          target: "es2022",
          lib: { entry, formats: ["es"], fileName: () => "main.mjs" },
          rolldownOptions: { external: ["vue"] },
        },
      });
      const { results, isFast } = runBuilt(builtFile(root));
      assert.deepEqual(results, [2, "object"]);
      assert.deepEqual(isFast, { load: true });
      assert.deepEqual(originsOf(builtFile(root), "the mark"), [{ file: "src/App.vue", line: 4 }]);
    });
  }

  it("of Svelte is optimised in a build of Rollup", async () => {
    const component = `<script module lang="ts">\n${FUNCTION}\n</script>\n<p>{load(1)}</p>\n<style>p { color: red }</style>\n`;
    const root = aroundComponent("App.svelte", component, "svelte");
    const bundle = await rollup({
      input: join(root, "src/main.ts"),
      plugins: [
        svelte({ emitCss: false, compilerOptions: { generate: "server" } }),
        nodeResolve({ extensions: [".ts", ".js"] }),
        rollupEsbuild({ target: "es2022" }),
        forRollup(),
      ],
    });
    await bundle.write({ file: builtFile(root), format: "es", sourcemap: true });
    await bundle.close();
    const { results, isFast } = runBuilt(builtFile(root));
    assert.deepEqual(results, [2, "function"]);
    assert.deepEqual(isFast, { load: true });
    assert.deepEqual(originsOf(builtFile(root), "the mark"), [{ file: "src/App.svelte", line: 4 }]);
  });
});
