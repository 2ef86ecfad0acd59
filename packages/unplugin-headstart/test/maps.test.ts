import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { builtFile, BUNDLERS } from "./bundlers.js";
import { compile } from "./fixtures/compile.mjs";
import { linesWith, originsOf } from "./marks.js";
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
