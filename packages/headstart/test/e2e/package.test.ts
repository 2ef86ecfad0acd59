import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, describe, it } from "node:test";

import { packageFile, packageVersion } from "../../src/package.js";
import { project } from "../temp.js";
import { type Outcome, run } from "./command.js";
import { SLOW } from "./fixtures.js";

const CONSUMER = `import { check, explain, fix, HeadstartError, type CheckReport, type Finding } from "headstart";

const report: CheckReport = await check({ paths: ["src"], level: "likely" });
const finding: Finding | undefined = report.findings[0];
const edits: string[] = (finding?.replacement ?? []).map((edit) => edit.text);
const fixed: string[] = (await fix({ diff: true })).fixed.map((entry) => entry.file);
const text: string = (await explain({ file: "src/load.ts", line: 5 })).text;
try {
  // @ts-expect-error fix has no such level
  await fix({ level: "hint" });
} catch (error) {
  if (error instanceof HeadstartError) console.log(error.exitCode + 1);
}
console.log(edits.length, fixed.length, text.length > 0, report.findings.length);
`;

/** As strict as an importer can be; console comes from the DOM, for there is no @types/node. */
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom"],
    types: [],
    skipLibCheck: false,
    noEmit: true,
  },
});

describe("the package, installed in an empty project", () => {
  let cwd: string;

  before(() => {
    const shelf = project();
    // dist/ is up to date, and other tests are running it.
    const args = ["pack", "--ignore-scripts", "--pack-destination", shelf];
    succeeded(run("npm", args, packageFile("")));
    const tarball = readdirSync(shelf).find((name) => name.endsWith(".tgz")) ?? "";
    cwd = project({
      "package.json": '{"name":"empty","private":true,"type":"module"}',
      "src/load.ts": SLOW,
    });
    succeeded(run("npm", ["install", "--offline", "--no-audit", join(shelf, tarball)], cwd));
  });

  it("is alone there, and holds what it needs and no more", () => {
    assert.deepEqual(
      readdirSync(join(cwd, "node_modules")).filter((name) => !name.startsWith(".")),
      ["headstart"],
    );
    const files = readdirSync(join(cwd, "node_modules/headstart")).sort();
    assert.deepEqual(files, [
      "LICENSE",
      "README.md",
      "dist",
      "headstart.config.schema.json",
      "native",
      "package.json",
    ]);
  });

  it("runs", () => {
    const npx = (...args: string[]) => run("npx", ["--no", "--", "headstart", ...args], cwd);
    assert.equal(npx("--version").stdout, `${packageVersion()}\n`);
    assert.equal(npx("check").status, 1);
    assert.equal(npx("fix").status, 0);
    assert.match(readFileSync(join(cwd, "src/load.ts"), "utf8"), /Promise\.all/);
    assert.equal(npx("check").status, 0);
  });

  it("has types that an importer can use", () => {
    const consumer = project({
      "package.json": '{"type":"module"}',
      "use.ts": CONSUMER,
      "tsconfig.json": TSCONFIG,
    });
    run("cp", ["-r", join(cwd, "node_modules"), consumer], cwd);
    const tsc = createRequire(import.meta.url)
      .resolve("typescript/package.json")
      .replace(/package\.json$/, "bin/tsc");
    succeeded(run(process.execPath, [tsc], consumer));
  });
});

function succeeded({ status, stdout, stderr }: Outcome): void {
  assert.equal(status, 0, stdout + stderr);
}
