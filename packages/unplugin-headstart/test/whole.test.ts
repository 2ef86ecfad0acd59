import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";

import { HeadstartError, type KnownPlaces, type OptimizedFunction } from "headstart";

import type { Options } from "../src/index.js";

import { Whole } from "../src/whole.js";
import { builtFile, BUNDLERS } from "./bundlers.js";
import { project, runBuilt } from "./project.js";

const MANIFEST = '{ "private": true, "type": "module" }';
const FILES = {
  "package.json": MANIFEST,
  "tsconfig.json": '{ "include": ["src"] }',
  "src/text.ts": `export async function size(text: string) {
  return text.length;
}
`,
  "src/main.ts": `import { each } from "each";
import { size } from "./text.ts";

async function sum(pages: string[]) {
  let total = 0;
  for (const page of pages) total += await size(page);
  await each(pages, async (page: string) => { total += await size(page); });
  return total;
}
const called = size("four");
const isFast = { size: typeof called === "number" };
console.log(JSON.stringify({ results: [await sum(["a", "bc"]), await called], isFast, stack: "" }));
`,
  "node_modules/each/package.json": '{ "name": "each", "type": "module", "main": "index.js" }',
  "node_modules/each/index.js": `export async function each(all, f) {
  for (const it of all) await f(it);
}
`,
};

/** What became of the functions of each file when it was transformed last. */
function outcomes() {
  const kinds = new Map<string, string>();
  const report = (file: string, functions: readonly OptimizedFunction[]) => {
    for (const { name, outcome } of functions) kinds.set(`${basename(file)} ${name}`, outcome.kind);
  };
  return { kinds, report };
}

describe("the whole program", () => {
  for (const [name, { build, watch }] of Object.entries(BUNDLERS)) {
    it(`shows ${name} which calls reach which files, and nothing else changes`, async () => {
      for (const [options, kind] of [
        [{}, "converted"],
        [{ whole: false }, "kept"],
        // Those of another text would be those of other functions.
        [{ compiled: true }, name === "esbuild" ? "converted" : "kept"],
      ] as const) {
        const { compiled = false, ...given } = options as Options & { compiled?: boolean };
        const root = project(FILES);
        const { kinds, report } = outcomes();
        await build({ root, options: { ...given, report }, compiled });
        assert.equal(kinds.get("text.ts size"), kind, JSON.stringify(options));
        // What is in node_modules is left alone.
        assert.deepEqual([...new Set([...kinds.keys()].map((it) => it.split(" ")[0]))].sort(), [
          "main.ts",
          "text.ts",
        ]);
        const { results, isFast } = runBuilt(builtFile(root));
        assert.deepEqual(results, [6, 4]);
        assert.deepEqual(isFast, { size: false });
      }
    });

    it(`that cannot be read is a warning of ${name}, and files are optimised one by one`, async () => {
      const root = project({ ...FILES, "headstart.config.json": '{ "exclude": 1 }' });
      const { kinds, report } = outcomes();
      const warnings: string[] = [];
      const warned = (text: string) => void warnings.push(text);
      const before = process.cwd();
      // The configuration is that of the folder where the bundler was started.
      process.chdir(root);
      // In this mode, webpack starts no threads, which would look for tsx there.
      const job = { root, options: { report }, warned, mode: "development" } as const;
      await build(job).finally(() => {
        process.chdir(before);
      });
      const ours = warnings.filter((it) => it.includes("calls from file to file stay as they are"));
      assert.equal(ours.length, 1, warnings.join("\n"));
      assert.match(ours[0] ?? "", /headstart\.config\.json/);
      assert.equal(kinds.get("text.ts size"), "kept");
      assert.deepEqual(runBuilt(builtFile(root)).results, [6, 4]);
    });

    it(`is read again by ${name} when files have changed`, { timeout: 60_000 }, async () => {
      const root = project(FILES);
      const { kinds, report } = outcomes();
      const { rebuilt, close } = await watch({ root, options: { report } });
      try {
        kinds.clear();
        const text = `// Moves what follows.\n${FILES["src/text.ts"].replace("length", "length * 2")}`;
        writeFileSync(join(root, "src/text.ts"), text);
        await rebuilt();
        assert.deepEqual([...kinds], [["text.ts size", "converted"]]);
        assert.deepEqual(runBuilt(builtFile(root)).results, [12, 8]);
      } finally {
        await close();
      }
    });
  }
});

describe("what modules show of one another", () => {
  const places: KnownPlaces = {
    reached: [1],
    methods: [],
    values: [],
    owned: [],
    called: [],
    counting: [],
    plain: [],
    texts: [],
    proxies: false,
  };

  /** A program of one file, and the folders that it was read from. */
  function reading() {
    const root = project({ "package.json": MANIFEST, "src/a.js": "\uFEFFa", "src/b.js": "b" });
    const file = join(root, "src/a.js");
    const folders: string[] = [];
    const whole = new Whole((folder) => {
      folders.push(folder);
      return Promise.resolve(new Map([[file, places]]));
    });
    return { root, file, folders, whole };
  }

  it("is read once in each build, when a module asks", async () => {
    const { root, file, folders, whole } = reading();
    assert.equal(await whole.placesIn(file, "a"), undefined);
    whole.begin(root);
    assert.deepEqual(folders, []);
    const asked = [file, file, join(root, "src/b.js")].map((it) => whole.placesIn(it, "a"));
    assert.deepEqual(await Promise.all(asked), [places, places, undefined]);
    assert.deepEqual(folders, [root]);
    whole.begin(root);
    assert.equal(await whole.placesIn(file, "a"), places);
    assert.deepEqual(folders, [root, root]);
  });

  it("is nothing where the text is another than that on disk, or there is none", async () => {
    const { root, file, whole } = reading();
    whole.begin(root);
    assert.equal(await whole.placesIn(file, "/* changed */ a"), undefined);
    assert.equal(await whole.placesIn(`${file}.gone`, "a"), undefined);
  });

  it("is that of its package, where a module stands outside of the root", async () => {
    const { root, file, folders, whole } = reading();
    const elsewhere = join(root, "elsewhere");
    whole.begin(elsewhere);
    assert.equal(await whole.placesIn(file, "a"), places);
    assert.equal(await whole.placesIn(join(elsewhere, "a.js"), "a"), undefined);
    assert.deepEqual(folders, [root, elsewhere]);
  });

  it("is nothing in node_modules", async () => {
    const { root, folders, whole } = reading();
    whole.begin(root);
    assert.equal(await whole.placesIn(join(root, "node_modules/a/a.js"), "a"), undefined);
    assert.deepEqual(folders, []);
  });

  it("is nothing, and the reason is said once, where it cannot be read", async () => {
    const whole = new Whole(() => Promise.reject(new HeadstartError("no")));
    whole.begin("/");
    assert.equal(await whole.placesIn("/a.js", "a"), undefined);
    assert.equal(whole.takeProblem(), "calls from file to file stay as they are: no");
    assert.equal(whole.takeProblem(), null);
  });
});
