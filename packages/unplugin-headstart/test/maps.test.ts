import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

import { builtFile, BUNDLERS } from "./bundlers.js";
import { compile } from "./fixtures/compile.mjs";
import { project, runBuilt } from "./project.js";

const FILES = {
  "src/shop.ts": `/**
 * Gone once it is compiled.
 */
interface Item { readonly price: number }

type Get = (it: Item) => Promise<number>;

export async function total(items: readonly Item[], get: Get): Promise<number> {
  "perhaps async";
  // Gone, too.
  let sum = 0;
  for (const item of items) sum += await get(item);

  if (sum > 1000) throw new Error("first mark");
  return sum;
}
`,
  "src/main.ts": `import { total } from "./shop.ts";

interface Printed { readonly results: readonly unknown[] }

async function failing(): Promise<string> {
  const items: { price: number }[] = [{ price: 2000 }];
  try {
    return "second mark " + (await total(items, async (it) => it.price));
  } catch (error) {
    return (error as Error).message + ", third mark";
  }
}
const printed: Printed = { results: [await failing()] };
console.log(JSON.stringify({ ...printed, isFast: {}, stack: "" }));
`,
};
const MARKS = ["first mark", "second mark", "third mark"];

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Where marks stand in a text; counted from one. */
function linesWith(text: string, mark: string): { line: number; column: number }[] {
  return text.split("\n").flatMap((it, at) => {
    const columns = [...it.matchAll(new RegExp(mark, "g"))].map(({ index }) => index);
    return columns.map((column) => ({ line: at + 1, column }));
  });
}

/** Where all places of a mark in a bundle come from, each once. */
function originsOf(built: string, mark: string): Place[] {
  const map = new TraceMap(readFileSync(`${built}.map`, "utf8"));
  const all = linesWith(readFileSync(built, "utf8"), mark).map((it) => {
    const { source, line } = originalPositionFor(map, it);
    return JSON.stringify({ file: source?.split("/").slice(-2).join("/"), line });
  });
  return [...new Set(all)].map((it) => JSON.parse(it) as Place);
}

/** Has what the compiler makes of the files take their place, which is all that esbuild sees of it. */
function compileOnDisk(root: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    const { code, map } = compile(text, join(root, name));
    const sources = [`../first/${name.slice("src/".length)}`];
    const data = Buffer.from(JSON.stringify({ ...(map as object), sources })).toString("base64");
    const comment = `//# sourceMappingURL=data:application/json;base64,${data}`;
    writeFileSync(join(root, name), `${code}\n${comment}\n`);
  }
}

describe("the source map of a bundle leads to what was there before another compiler", () => {
  for (const [name, { build }] of Object.entries(BUNDLERS)) {
    it(`with ${name}`, async () => {
      const root = project({
        ...FILES,
        "package.json": '{ "private": true, "type": "module" }',
        "tsconfig.json": '{ "include": ["src"] }',
      });
      if (name === "esbuild") compileOnDisk(root);
      await build({ root, options: {}, compiled: true });
      const built = builtFile(root);
      assert.deepEqual(runBuilt(built).results, ["first mark, third mark"]);
      for (const mark of MARKS) {
        const [file, text] = Object.entries(FILES).find(([, it]) => it.includes(mark)) ?? ["", ""];
        const expected = name === "esbuild" ? file.replace("src/", "first/") : file;
        const line = linesWith(text, mark)[0]?.line ?? 0;
        assert.deepEqual(originsOf(built, mark), [{ file: expected, line }], mark);
      }
    });
  }
});
