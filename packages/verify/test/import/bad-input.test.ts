import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";

import { importFiles, importFolder } from "../../src/import/index.js";

const OPTIONS = { tool: "test", createdAt: "2026-01-01T00:00:00Z" };
const folder = mkdtempSync(join(tmpdir(), "headstart-import-"));
after(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("importing two files", () => {
  const good = file("good.csv", "a test,0.5\na test,0.25\n");

  it("reads quoted ids, a byte order mark, CRLF and further columns", async () => {
    const original = file("a.csv", '\uFEFF"one, ""two""",0.1,suite,3,1\r\n\r\nthree,0.2\r\n');
    const reordered = file("b.csv", '"one, ""two""",0.05\n');
    const result = await importFiles(original, reordered, { ...OPTIONS, name: "mine" });
    assert.equal(result.project, "mine");
    assert.deepEqual(
      result.tests.map(({ id, original, rewritten }) => ({ id, original, rewritten })),
      [{ id: 'one, "two"', original: [100], rewritten: [50] }],
    );
    assert.equal(result.summary.harmonicChange, 50);
    assert.match(result.notes.join("\n"), /only the original has times of it: three/);
  });

  const wrong: [string, string | Buffer, RegExp][] = [
    ["no time", "a test,0.5\na test\n", /wrong\.csv:2: expected the id of a test and its time/],
    ["a time that is none", "a test,fast\n", /wrong\.csv:1: .*a test,fast/],
    ["an empty time", "a test,\n", /wrong\.csv:1: /],
    ["a negative time", "a test,-1\n", /wrong\.csv:1: /],
    ["an endless time", "a test,Infinity\n", /wrong\.csv:1: /],
    ["an open quote", '"a test,0.5\n', /wrong\.csv: is no CSV/],
    ["nothing in it", "", /wrong\.csv: holds no timings/],
    ["binary", Buffer.from([0, 159, 146, 150, 10]), /wrong\.csv:1: /],
    ["another project", "another test,0.5\n", /share no test/],
  ];
  for (const [name, content, message] of wrong) {
    it(`names the file and the line: ${name}`, async () => {
      await assert.rejects(importFiles(good, file("wrong.csv", content), OPTIONS), { message });
    });
  }

  it("names a file that is not there, and a folder", async () => {
    await assert.rejects(
      importFiles(join(folder, "none.csv"), good, OPTIONS),
      /none\.csv: no such/,
    );
    await assert.rejects(importFiles(folder, good, OPTIONS), /cannot be read \(EISDIR\)/);
  });
});

describe("importing a folder", () => {
  it("names a folder that holds no projects, or is not there", async () => {
    mkdirSync(join(folder, "empty"));
    await assert.rejects(
      importFolder(join(folder, "empty"), OPTIONS),
      /for two files use --import/,
    );
    await assert.rejects(importFolder(join(folder, "none"), OPTIONS), /is no folder/);
  });
});
