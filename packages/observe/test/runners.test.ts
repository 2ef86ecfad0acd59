import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { observed } from "./made.js";

const require = createRequire(import.meta.url);

/** The program that a package has for the command line. */
function bin(name: string, path: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), path);
}

const STORE = `const { readFile } = require("node:fs/promises");
exports.load = async (name) => {
  return await readFile(name, "utf8");
};
`;
const TEST = `const { load } = require("./store.cjs");
it("loads", async () => {
  if (!(await load("package.json")).includes("{")) throw new Error("not loaded");
});
`;

for (const [name, files, command] of [
  [
    "vitest",
    {
      "store.test.ts": `import { it } from "vitest";\nimport { load } from "./store.ts";\nit("loads", async () => {\n  await load("package.json");\n});\n`,
      "store.ts": `import { readFile } from "node:fs/promises";\nexport async function load(name: string): Promise<string> {\n  return await readFile(name, "utf8");\n}\n`,
    },
    [bin("vitest", "vitest.mjs"), "run"],
  ],
  [
    "jest",
    { "store.cjs": STORE, "store.test.cjs": TEST },
    [bin("jest", "bin/jest.js"), "--testMatch", "**/*.test.cjs"],
  ],
  [
    "mocha",
    { "store.cjs": STORE, "store.test.cjs": TEST },
    [bin("mocha", "bin/mocha.js"), "store.test.cjs"],
  ],
] as const) {
  await test(`tests of ${name} are observed, whatever ends their processes`, async () => {
    const { at, exitCode, awaits } = await observed(files, [process.execPath, ...command]);
    assert.equal(exitCode, 0);
    const [file = ""] = Object.keys(files).filter((it) => !it.includes("test"));
    assert.deepEqual(at(3, file), ["1 fs read package.json"]);
    assert.equal(awaits.length, 2);
  });
}
