import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { headstart } from "./command.js";

const FILES = {
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}',
  "store.js": `import { readFile } from "node:fs/promises";
export async function load(name) {
  return await readFile(name, "utf8");
}
`,
  "store.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./store.js";
test("loads", async () => { assert.match(await load("package.json"), /type/); });
`,
};

describe("observe", () => {
  it("runs the tests, and says what awaits have touched", () => {
    const folder = project(FILES);
    const { status, stderr, stdout } = headstart(folder, ["observe"]);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /# pass 1/);
    assert.match(
      stderr,
      /2 awaits of the project ran, 2 of them touched something outside of the program\./,
    );
    assert.match(stderr, /^ {2}store\.js:3: once, .*: fs read package\.json$/m);
    assert.match(stderr, /^Written to \.headstart.evidence\.json$/m);
    const evidence = JSON.parse(readFileSync(join(folder, ".headstart/evidence.json"), "utf8")) as {
      awaits: { file: string; line: number; hash: string; calls: number }[];
    };
    assert.deepEqual(
      evidence.awaits.map(({ file, line, calls }) => [file, line, calls]),
      [
        ["store.js", 3, 1],
        ["store.test.js", 4, 1],
      ],
    );
    // The project itself is as it was.
    assert.equal(readFileSync(join(folder, "store.js"), "utf8"), FILES["store.js"]);
  });

  it("observes a package of a workspace, which reaches into others, and writes beside its files", () => {
    const folder = project({
      "package.json": '{"workspaces":["packages/*"]}',
      "packages/a/package.json": '{"name":"a","type":"module"}',
      "packages/a/main.js": `import { b } from "../b/main.js";
await b(new URL("package.json", import.meta.url));
`,
      "packages/b/package.json": '{"name":"b","type":"module"}',
      "packages/b/main.js": `export { readFile as b } from "node:fs/promises";\n`,
    });
    const cwd = join(folder, "packages/a");
    // Its own path is that of the copy there.
    const main = join(cwd, "main.js");
    const found = headstart(cwd, ["observe", "-o", "a.json", "--", process.execPath, main]);
    assert.equal(found.status, 0, found.stderr);
    assert.match(found.stderr, /^ {2}main\.js:2: once, .*: fs read package\.json$/m);
    assert.ok(existsSync(join(cwd, "a.json")));
  });

  it("says in which files nothing is observed, since they are too deep", () => {
    const deep = "await (async () => ".repeat(1000) + "1" + ")()".repeat(1000);
    const folder = project({ ...FILES, "deep.js": deep });
    const { status, stderr } = headstart(folder, ["observe", "--", process.execPath, "-e", "0"]);
    assert.equal(status, 0, stderr);
    assert.match(
      stderr,
      /^note: nothing is observed in files in which some hundred .*: deep\.js$/m,
    );
  });

  it("observes very many awaits in one function", { timeout: 120_000 }, () => {
    const folder = project({ ...FILES, "many.js": "await 1;".repeat(20_000) });
    const { status, stderr } = headstart(folder, ["observe", "--", process.execPath, "many.js"]);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^20,000 awaits of the project ran/m);
  });

  it("hands on the exit code of a command, and says what it cannot do", () => {
    const folder = project({ ...FILES, "odd.js": "await (;\n" });
    const failed = headstart(folder, [
      "observe",
      "-o",
      "a.json",
      "--",
      process.execPath,
      "-e",
      "process.exit(3)",
    ]);
    assert.equal(failed.status, 3);
    assert.match(failed.stderr, /No await of the project has run\./);
    assert.match(
      failed.stderr,
      /^note: nothing is observed in files that cannot be parsed: odd\.js$/m,
    );
    assert.ok(existsSync(join(folder, "a.json")));
    const none = headstart(folder, ["observe", "--", "no-such-program"]);
    assert.equal(none.status, 2);
    assert.match(none.stderr, /^error: .*no-such-program/);
  });
});
