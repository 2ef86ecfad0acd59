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
});
