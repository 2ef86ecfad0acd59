import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import type * as Api from "../../src/index.js";
import { loadAddon } from "../../src/native.js";
import { packageFile, packageVersion } from "../../src/package.js";
import { project } from "../temp.js";
import "./command.js";
import { CLEAN, SLOW } from "./fixtures.js";
import { isCheckReport, isFixReport } from "./report-schema.js";

const { check, explain, fix, HeadstartError } = (await import(
  packageFile("dist/index.js")
)) as typeof Api;

describe("check()", () => {
  it("returns a report of the documented form", async () => {
    const report = await check({ cwd: project({ "load.ts": SLOW }), rendered: true });
    assert.ok(isCheckReport(report), JSON.stringify(isCheckReport.errors));
    assert.equal(report.findings.length, 1);
    assert.match(report.findings[0]?.rendered ?? "", /load\.ts/);
    assert.ok(!report.findings[0]?.rendered?.includes("\u001B"));
  });

  it("renders nothing unasked, and finds nothing where nothing is", async () => {
    const found = await check({ cwd: project({ "load.ts": SLOW }) });
    assert.equal(found.findings[0]?.rendered, undefined);
    assert.deepEqual((await check({ cwd: project({ "load.ts": CLEAN }) })).findings, []);
  });

  it("says which findings fix would apply at a level, if asked", async () => {
    const cwd = project({ "load.ts": SLOW });
    const { findings } = await check({ cwd, applied: "safe" });
    const { fixed } = await fix({ cwd, diff: true });
    const applied = findings.filter((it) => it.applied === true).map(({ id }) => id);
    assert.deepEqual(
      applied,
      fixed.flatMap((it) => it.findings),
    );
    assert.equal((await check({ cwd })).findings[0]?.applied, undefined);
  });

  it("takes options over the configuration", async () => {
    const config = { "headstart.config.json": '{"exclude":["gen"]}' };
    const cwd = project({ ...config, "gen/load.ts": SLOW, "load.ts": CLEAN });
    assert.equal((await check({ cwd })).findings.length, 0);
    assert.equal((await check({ cwd, exclude: [] })).findings.length, 1);
    assert.equal((await check({ cwd, config: false })).findings.length, 1);
  });

  it("throws what the command exits with 2 for", async () => {
    await failed(check({ cwd: project(), paths: ["nowhere"] }), /nowhere/);
    const cwd = project({ "headstart.config.json": "{" });
    await failed(check({ cwd }), /^headstart\.config\.json:1:2: not valid JSON/);
  });
});

describe("fix()", () => {
  it("rewrites, and says what", async () => {
    const cwd = project({ "load.ts": SLOW });
    const report = await fix({ cwd });
    assert.ok(isFixReport(report), JSON.stringify(isFixReport.errors));
    assert.deepEqual(
      report.fixed.map(({ file }) => file),
      ["load.ts"],
    );
    assert.equal(report.diff, null);
    assert.match(readFileSync(join(cwd, "load.ts"), "utf8"), /Promise\.all/);
  });

  it("only what it is told to", async () => {
    const cwd = project({ "a.ts": SLOW, "b.ts": SLOW });
    const { findings } = await check({ cwd });
    const only = findings.filter(({ file }) => file === "b.ts").map(({ id }) => id);
    const { fixed } = await fix({ cwd, only });
    assert.deepEqual(fixed, [{ file: "b.ts", findings: only }]);
    assert.equal(readFileSync(join(cwd, "a.ts"), "utf8"), SLOW);
  });

  it("returns a patch instead, when asked to", async () => {
    const cwd = project({ "a.ts": SLOW });
    const report = await fix({ cwd, diff: true });
    assert.ok(isFixReport(report), JSON.stringify(isFixReport.errors));
    assert.match(report.diff ?? "", /^\+.*Promise\.all/m);
    assert.equal(readFileSync(join(cwd, "a.ts"), "utf8"), SLOW);
  });

  it("may run in several folders at once", async () => {
    const folders = [
      project({ "a.ts": SLOW }),
      project({ "a.ts": SLOW }),
      project({ "a.ts": SLOW }),
    ];
    const reports = await Promise.all(folders.map((cwd) => fix({ cwd })));
    for (const { fixed } of reports) assert.equal(fixed.length, 1);
  });
});

describe("explain()", () => {
  it("returns what the command prints", async () => {
    const { text } = await explain({ cwd: project({ "a.ts": SLOW }), file: "a.ts", line: 5 });
    assert.match(text, /a\.ts/);
    assert.ok(!text.includes("\u001B"));
  });

  it("throws for a file that is not there", async () => {
    await failed(explain({ cwd: project(), file: "nowhere.ts", line: 1 }), /nowhere\.ts/);
  });
});

describe("the addon", () => {
  it("has the version of the package", () => {
    assert.equal(loadAddon().version(), packageVersion());
  });
});

async function failed(call: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof HeadstartError);
    assert.equal(error.exitCode, 2);
    assert.match(error.message, message);
    return true;
  });
}
