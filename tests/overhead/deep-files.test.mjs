// Programs of several files go as deep as they did, once they are optimised whole.
//
//   DEEP_FILES=2000 DEEP_SEED=1 node --test tests/overhead/deep-files.test.mjs
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, it } from "node:test";

import { deepFiles } from "./deep-files.mjs";
import { CLI, node } from "./run-whole.mjs";

const COUNT = Number(process.env["DEEP_FILES"] ?? 60);
const SEED = Number(process.env["DEEP_SEED"] ?? 1);

/** How long all programs may take, in milliseconds. */
const TIMEOUT = 600_000;

/** Runs the programs of a folder, one after the other: a line of what came of each. */
const RUN = `const [folder, from, to] = process.argv.slice(2);
process.on("unhandledRejection", (error) => console.log("unhandled", String(error)));
for (let seed = Number(from); seed < Number(to); seed++) {
  const { main } = await import(\`\${folder}/p\${seed}/main.mjs\`);
  console.log(seed, await main());
}
`;

const root = mkdtempSync(path.join(tmpdir(), "headstart-deep-"));
after(() => rmSync(root, { recursive: true, force: true }));

it(`random ones do the same (${COUNT} programs from seed ${SEED})`, () => {
  const [before, optimised] = ["before", "after"].map((it) => path.join(root, it));
  const names = new Set();
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    const folder = path.join(before, `p${seed}`);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(deepFiles(seed))) {
      writeFileSync(path.join(folder, name), text);
      if (name.startsWith("part")) names.add(path.join(`p${seed}`, name));
    }
  }
  const runner = path.join(root, "run.mjs");
  writeFileSync(runner, RUN);
  node([CLI, "optimize", before, "-o", optimised], TIMEOUT);
  const results = (folder) => node([runner, folder, SEED, SEED + COUNT], TIMEOUT).split("\n");
  const expected = results(before);
  assert.ok(expected.every((it) => !/Error|unhandled/.test(it)));
  assert.deepEqual(results(optimised), expected);
  const counts = (name) => readFileSync(path.join(optimised, name), "utf8").includes("= $level");
  const counting = [...names].filter(counts).length;
  assert.ok(counting > COUNT / 3, `${counting} of ${names.size} files count`);
});
