import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { folder } from "./projects.js";

/** A function that waits twice. */
export const SOURCE = `export async function both(a, b) {
  const x = await a();
  const y = await b();
  return [x, y];
}
`;
/** What it waits for. */
export const ORIGINAL = "const x = await a();\n  const y = await b();";
/** The same at once. */
export const TOGETHER = "const [x, y] = await Promise.all([a(), b()]);";

/** A project of one source file and one test file for node:test. */
export function project(test: string): string {
  const made = join(folder(), "project");
  mkdirSync(made);
  const manifest = { name: "made", type: "module", scripts: { test: "node --test" } };
  const files = {
    "package.json": JSON.stringify(manifest),
    "both.js": SOURCE,
    "both.test.js": `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { both } from "./both.js";\nconst one = async () => 1;\n${test}`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  return made;
}
