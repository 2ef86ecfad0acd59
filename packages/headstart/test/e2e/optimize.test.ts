import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { project } from "../temp.js";
import { headstart } from "./command.js";

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

  it("explains what a function compiles to, beside its source", () => {
    const folder = project({
      "a.mjs":
        "const known = new Map();\n" +
        "async function load(name) {\n" +
        "  if (known.has(name)) return known.get(name);\n" +
        "  return await fetch(name);\n" +
        "}\n" +
        "export async function all(names) {\n" +
        "  for (const name of names) await load(name);\n" +
        "}\n",
    });
    const { status, stdout } = headstart(folder, ["explain", "a.mjs:2"]);
    assert.equal(status, 0);
    assert.match(stdout, /^optimize: `load` runs like any other function/m);
    assert.match(stdout, /^async function load\(name\) \{ +│ function load\(name\) \{$/m);
    const kept = headstart(folder, ["explain", "a.mjs:6"]);
    assert.match(kept.stdout, /^optimize: `all` stays as it is: nothing in this file awaits/m);
    const neither = headstart(folder, ["explain", "a.mjs:1"]);
    assert.equal(neither.status, 2);
    assert.match(neither.stderr, /no await on this line, and no async function begins here/);
  });
});
