import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { verify } from "../src/index.js";
import { renderTable } from "../src/table.js";
import { ORIGINAL, project, TOGETHER } from "./made.js";
import { fixture, options, QUIET, rightSites, site } from "./projects.js";

const GOOD = `test("both", async () => assert.deepEqual(await both(one, one), [1, 1]));\n`;

function run(made: string, after = TOGETHER) {
  const sites = [site(made, "both.js", ORIGINAL, after)];
  return verify(options(made, sites, { runs: 1 }), QUIET);
}

describe("tests that do not run", () => {
  for (const [where, quits] of [
    ["in a test", `test("quits", () => process.exit(0));`],
    ["in a hook", `after(() => process.exit(0));`],
    ["as the file is loaded", `process.exit(0);`],
  ] as const) {
    it(`that end their process as if all were well, ${where}, are missed and named`, async () => {
      const made = project(GOOD);
      const tests = `import { after, test } from "node:test";\ntest("first", () => undefined);\n${quits}\n`;
      writeFileSync(join(made, "quits.test.js"), tests);
      const result = await run(made);
      assert.equal(result.agreement?.tests, 1);
      const [file] = result.incomplete;
      assert.equal(file?.file, "quits.test.js");
      assert.match(file.reason, /^process\.exit\(0\) was called/);
      if (where === "in a test") assert.match(file.reason, /in "quits\.test\.js > quits"$/);
      assert.match(
        renderTable(result, 80),
        /^Not complete: 1 of 1 test .*, but not all tests of quits\.test\.js ran/,
      );
    });
  }

  it("that end their process as if all were well behind the rewrite only are broken by it", async () => {
    const after = "const [x, y] = await Promise.all([a(), process.exit(0)]);";
    const { outcome } = await run(project(GOOD), after);
    assert.equal(outcome, "broken");
  });

  it("end another runner as a whole, which says where", async () => {
    const made = fixture("mocha-ts");
    const quits = 'it("quits", () => { process.exit(0); });\n';
    writeFileSync(join(made, "test/quits.test.ts"), quits);
    await assert.rejects(
      verify(options(made, rightSites(made, "src/store.ts"), { runs: 1 }), QUIET),
      /ended in "test\/quits\.test\.ts > quits" before its tests did \(as a call of process\.exit/,
    );
  });

  it("say why without colours", async () => {
    const made = project(GOOD);
    writeFileSync(join(made, "red.test.js"), 'throw new Error("\\u001b[31mred\\u001b[0m");\n');
    const { incomplete } = await run(made);
    assert.deepEqual(
      incomplete.map(({ file }) => file),
      ["red.test.js"],
    );
    assert.ok(!JSON.stringify(incomplete).includes("\\u001b"), JSON.stringify(incomplete));
  });

  it("that run in one of two runs of the original only are named, and left out", async () => {
    const sometimes = `import { existsSync, writeFileSync } from "node:fs";
      const name = existsSync("flag") ? "second" : "first";
      writeFileSync("flag", "");
      test(name, () => undefined);\n`;
    const { notes } = await run(project(sometimes + GOOD));
    assert.ok(
      notes.some((note) => /^2 tests ran in one of two runs .*"first", "second"\.$/.test(note)),
      notes.join("\n"),
    );
  });
});
