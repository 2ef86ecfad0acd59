import assert from "node:assert/strict";
import { it } from "node:test";

import { verify } from "../src/index.js";
import { renderTable } from "../src/table.js";
import { fixture, options, QUIET, site } from "./projects.js";

it("says of which operations no figure is, where the rewrite words them in another way", async () => {
  const project = fixture("node-js");
  const before =
    'const head = await readFile(path.join(dir, "HEAD"), "utf8");\n' +
    '  const config = await readFile(path.join(dir, "config.json"), "utf8");';
  const after =
    'const load = (name) => readFile(path.join(dir, name), "utf8");\n' +
    '  const [head, config] = await Promise.all([load("HEAD"), load("config.json")]);';
  const reworded = site(project, "src/store.js", before, after);
  const result = await verify(options(project, [reworded], { runs: 1, latency: [10] }), QUIET);
  assert.equal(result.outcome, "verified", JSON.stringify(result, null, 2));
  assert.deepEqual(result.sites[0]?.operations, [
    { label: 'readFile(path.join(dir, "HEAD"), "utf8")', lost: true },
    { label: 'readFile(path.join(dir, "config.json"), "utf8")', lost: true },
  ]);
  assert.equal(result.sites[0].timeline, undefined);
  assert.equal(result.tests.length, 1, "the test counts as running the place all the same");
  const note =
    'src/store.js:6: "readFile(path.join(dir, "HEAD"), "utf8")", "readFile(path.join(dir, "config.json"), "utf8")" ' +
    "are not found again in the rewritten code, which words them in another way, and so neither delayed nor drawn.";
  assert.deepEqual(result.notes, [note]);
  assert.ok(renderTable(result, 100).includes(`note: ${note}`));
});
