import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { SourceMap as Lookup } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { transformSync } from "esbuild";

import { optimize } from "../src/optimize.js";
import type { SourceMap } from "../src/optimize-types.js";
import { optimizedSource } from "../src/register-source.js";
import { carriedMap, composedMap, mapInFolder } from "../src/source-maps.js";
import { project } from "./temp.js";

const SOURCE = [
  "interface Item { readonly price: number }",
  "",
  "export async function total(items: readonly Item[], get: (it: Item) => Promise<number>) {",
  '  "perhaps async";',
  "  let sum = 0;",
  "  for (const item of items)",
  "    sum += await get(item);",
  "  if (sum > 10) throw new Error(`too much`);",
  "  return sum;",
  "}",
].join("\n");

const inline = (map: string) =>
  `data:application/json;base64,${Buffer.from(map).toString("base64")}`;

/** What a compiler makes of the source, and its map. */
function compiled() {
  const options = { loader: "ts", sourcemap: "external", sourcefile: "src/a b.ts" } as const;
  return transformSync(SOURCE, options);
}

/** Where in a source a word stands that is in a text once. */
function placeOf(map: SourceMap, text: string, word: string) {
  const lines = text.split("\n");
  const line = lines.findIndex((it) => it.includes(word));
  const lookup = new Lookup({ ...map, file: "", sourceRoot: "", sourcesContent: [] });
  const found = lookup.findEntry(line, lines[line]?.indexOf(word) ?? 0);
  if (!("originalSource" in found)) return undefined;
  return { source: found.originalSource, line: found.originalLine, column: found.originalColumn };
}

const EXPECTED = { line: 7, column: SOURCE.split("\n")[7]?.indexOf("Error") };

describe("source maps of what carries one", () => {
  const { code, map } = compiled();
  const file = join(project(), "out #1.js");
  const { href } = new URL("src/a%20b.ts", pathToFileURL(file));

  it("go on to what a file was made of, with the map in it or beside it", () => {
    writeFileSync(`${file}.map`, map);
    for (const url of [
      inline(map),
      `data:application/json,${encodeURIComponent(map)}`,
      "out%20%231.js.map",
    ]) {
      const text = `${code}\n//# sourceMappingURL=${url}\n`;
      const loaded = optimizedSource(text, file, {});
      const all = carriedMap(loaded, file);
      assert.ok(all !== null && loaded !== text);
      assert.deepEqual(placeOf(all, loaded, "Error(`too"), { source: href, ...EXPECTED });
      assert.deepEqual(all.sourcesContent, [SOURCE]);
      const optimized = optimize(text, { file, sourceMap: true });
      assert.ok(optimized.map !== null);
      const beside = mapInFolder(optimized.map, { text, file, folder: join(file, "..", "build") });
      assert.deepEqual(beside.sources, ["../src/a b.ts"]);
      assert.deepEqual(placeOf(beside, optimized.code, "Error(`too"), {
        source: "../src/a b.ts",
        ...EXPECTED,
      });
    }
  });

  it("stay as they are where the file carries none that can be read", () => {
    const sections = JSON.stringify({ version: 3, sections: [] });
    const wrong = [
      "nowhere.js.map",
      "https://example.org/a.map",
      inline("{"),
      inline("null"),
      inline(sections),
    ];
    for (const url of wrong) {
      assert.equal(carriedMap(`${code}\n//# sourceMappingURL=${url}`, file), null);
    }
    const inText = `const text = "//# sourceMappingURL=${inline(map)}";\n${code}`;
    assert.equal(carriedMap(inText, file), null);
    const { map: own } = optimize(code, { file, sourceMap: true });
    assert.ok(own !== null);
    const other = { version: 3, sources: ["x"], names: [], mappings: "" } as const;
    assert.equal(composedMap(own, { ...other, sources: ["x"], names: [] }), own);
  });

  it("lead nowhere where the map in the file does, and keep large and negative differences", () => {
    // Line 0: column 0 to (0, 5176, 48), column 8 to nowhere, column 12 back to (0, 2, 8).
    const inner: SourceMap = {
      version: 3,
      sources: ["s"],
      names: [],
      mappings: "AAwjKgD,Q,IAtjKxC",
    };
    const outer: SourceMap = { version: 3, sources: ["t"], names: [], mappings: ";AAAA,IAAQ,IAAI" };
    const all = composedMap(outer, inner);
    assert.deepEqual([all.sources, all.mappings], [["s"], ";AAwjKgD,I,IAtjKxC"]);
  });
});
