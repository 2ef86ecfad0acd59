import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { packageFile } from "../../src/package.js";
import { project } from "../temp.js";
import { headstart } from "./command.js";

const LOADER = pathToFileURL(packageFile("dist/observe-register.js")).href;
const FILES = {
  "package.json": '{"type":"module"}',
  "lib/read.cjs": `const fs = require("node:fs/promises");
exports.read = async (name) => {
  const text = await fs.readFile(name, "utf8");
  return text.length;
};
`,
  "server.js": `import { read } from "./lib/read.cjs";
for (let n = 0; n < 20; n++) {
  await read("package.json");
}
console.log("done");
`,
};

interface Evidence {
  readonly share: number;
  readonly awaits: readonly {
    readonly file: string;
    readonly line: number;
    readonly calls: number;
    readonly operations: readonly { readonly what: string; readonly times: number }[];
  }[];
}

function run(folder: string, env: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, ["--import", LOADER, "server.js"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
}

describe("headstart/observe", () => {
  it("records the awaits of a process, in both kinds of modules", () => {
    const folder = project(FILES);
    const { status, stdout, stderr } = run(folder, { HEADSTART_OBSERVE_SHARE: "1" });
    assert.deepEqual([status, stdout, stderr], [0, "done\n", ""]);
    const [name = ""] = readdirSync(join(folder, ".headstart"));
    assert.match(name, /^evidence\.\d+\.json$/);
    const text = readFileSync(join(folder, ".headstart", name), "utf8");
    const { awaits, share } = JSON.parse(text) as Evidence;
    assert.equal(share, 1);
    const seen = awaits.map(({ file, line, calls }) => `${calls} ${file}:${line}`).sort();
    assert.deepEqual(seen, ["20 lib/read.cjs:3", "20 server.js:3"]);
    for (const { operations } of awaits)
      assert.deepEqual(operations, [{ what: "fs read package.json", times: 20 }]);
  });

  it("adds to what other processes have recorded", () => {
    const folder = project(FILES);
    for (let time = 0; time < 2; time++)
      assert.equal(run(folder, { HEADSTART_OBSERVE_SHARE: "1" }).status, 0);
    const { stdout } = headstart(folder, ["explain", "server.js:3"]);
    assert.match(stdout, /observed: 40 runs/);
    assert.match(stdout, /observed: 40 × fs read package\.json/);
  });

  it("writes where it is told, and keeps what is no file", () => {
    const folder = project(FILES);
    for (const out of ["/dev/null", "here/it.json"]) {
      const env = { HEADSTART_OBSERVE_SHARE: "1", HEADSTART_OBSERVE_OUT: out };
      assert.equal(run(folder, env).status, 0);
    }
    assert.equal(statSync("/dev/null").isCharacterDevice(), true);
    assert.match(readFileSync(join(folder, "here/it.json"), "utf8"), /"file": "lib\/read\.cjs"/);
  });

  it("refuses a share that is none", () => {
    const { status, stderr, stdout } = run(project(FILES), { HEADSTART_OBSERVE_SHARE: "5%" });
    assert.equal(status, 2);
    assert.equal(stdout, "");
    const said = 'HEADSTART_OBSERVE_SHARE is "5%"; expected a number above 0 and up to 1';
    assert.equal(stderr, `error: ${said}\n`);
  });
});
