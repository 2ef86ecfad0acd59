import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { project } from "../temp.js";
import { packageFile } from "../../src/package.js";
import { headstart, run } from "./command.js";

describe("headstart optimize", () => {
  it("optimises a folder, with source maps and a report", async () => {
    const folder = project({
      "in/a.mjs": 'export async function f(x) { "perhaps async"; return (await x) + 1; }\n',
      "in/plain.json": "{}",
      "in/bad.mjs": "export async function (",
    });
    const { status, stdout, stderr } = headstart(folder, [
      ...["optimize", "in", "-o", "out"],
      ...["--report", "--source-map"],
    ]);
    assert.equal(status, 2);
    assert.match(stderr, /bad\.mjs:1:\d+: .*; it was copied as it is/);
    assert.match(stdout, /a\.mjs:1:8 f: converted \(twin: lifted\)/);
    assert.equal(readFileSync(join(folder, "out/plain.json"), "utf8"), "{}");
    const map = JSON.parse(readFileSync(join(folder, "out/a.mjs.map"), "utf8")) as object;
    assert.deepEqual((map as { sources: string[] }).sources, ["../in/a.mjs"]);
    const module = (await import(pathToFileURL(join(folder, "out/a.mjs")).href)) as {
      f: (x: unknown) => unknown;
    };
    assert.equal(module.f(1), 2);
    assert.equal(await module.f(Promise.resolve(1)), 2);
  });

  it("says which file is not there", () => {
    const { status, stderr } = headstart(project(), ["optimize", "nowhere.js", "-o", "y"]);
    assert.equal(status, 2);
    assert.match(stderr, /nowhere\.js: .*check the spelling/);
  });
});

describe("headstart/register", () => {
  it("optimises modules as they are loaded, and traces name the lines of the source", () => {
    const folder = project({
      "app.mjs": [
        'import { f } from "./f.mjs";',
        "console.log(f(1));",
        'f(1, () => { throw new Error("here"); }).catch((error) => console.log(error.stack));',
      ].join("\n"),
      "f.mjs": [
        "export async function f(x, g = () => 0) {",
        '  "perhaps async";',
        "  await x;",
        "  g();",
        "  return x + 1;",
        "}",
      ].join("\n"),
    });
    const register = pathToFileURL(packageFile("dist/register.js")).href;
    const args = ["--no-warnings", "--enable-source-maps", "--import", register, "app.mjs"];
    const { status, stdout, stderr } = run(process.execPath, args, folder);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^2\n/);
    assert.match(stdout, /f\.mjs:4:3/);
  });
});
