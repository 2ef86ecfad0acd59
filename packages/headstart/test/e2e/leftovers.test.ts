import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { headstart, start } from "./command.js";
import { many, SLOW } from "./fixtures.js";

/** The id of a process that has ended. */
function gone(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

const unix = { skip: process.platform === "win32" };

describe("what a killed run has left beside files is removed by the next", unix, () => {
  const commands = [
    ["check"],
    ["fix"],
    ["fix", "--diff"],
    ["explain", "src/a.ts:5"],
    ["check", "src/a.ts"],
    ["optimize", "lib", "-o", "src"],
  ];
  for (const command of commands) {
    it(`${command.join(" ")}, but nothing that is in use or is not ours`, () => {
      const cwd = project({ "package.json": "{}", "src/a.ts": SLOW, "lib/b.ts": SLOW });
      const left = join(cwd, `src/.headstart-${String(gone())}-3.tmp`);
      const kept = [
        `.headstart-${String(process.pid)}-0.tmp`,
        `.headstart-${String(gone())}-0.tmp.ts.txt`,
        ".headstart-x-0.tmp",
      ];
      for (const name of kept) writeFileSync(join(cwd, "src", name), "");
      writeFileSync(left, "half");
      headstart(cwd, command);
      assert.equal(existsSync(left), false);
      for (const name of kept) assert.ok(existsSync(join(cwd, "src", name)), name);
    });
  }

  it("whenever fix was killed", { timeout: 300_000 }, async () => {
    const files = many(60);
    const cwd = project(files);
    for (const delay of [200, 400, 600, 800]) {
      const outcome = await start(cwd, ["fix"], (kill) => {
        setTimeout(() => {
          kill("SIGKILL");
        }, delay);
      });
      if (outcome.signal === null) break;
    }
    headstart(cwd, ["check"]);
    assert.deepEqual(
      readdirSync(join(cwd, "src")).filter((name) => name.startsWith(".headstart")),
      [],
    );
  });
});

describe("the copies of a verification that was killed are removed by the next", unix, () => {
  const owner = (): string => {
    const space = process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "";
    return `${hostname()}\n${space}\n`;
  };
  const files = {
    "package.json": '{"name":"x","type":"module"}',
    "both.js": SLOW.replaceAll(/: (string|Promise<string\[\]>)/g, ""),
    "both.test.js": `import { test } from "node:test";
import { load } from "./both.js";
test("both", async () => { await load(".").catch(() => undefined); });
`,
  };

  it("but none that may be in use", { timeout: 120_000 }, () => {
    const cwd = project(files);
    const temporary = join(project(), "tmp");
    const made = (pid: number, letters: string, by: string | undefined): string => {
      const folder = join(temporary, `headstart-verify-${String(pid)}-${letters}`);
      mkdirSync(join(folder, "old"), { recursive: true });
      if (by !== undefined) writeFileSync(join(folder, "owner"), by);
      return folder;
    };
    const left = made(gone(), "aaaaaa", owner());
    const kept = [
      made(process.pid, "bbbbbb", owner()),
      made(gone(), "cccccc", "elsewhere\n\n"),
      made(gone(), "dddddd", undefined),
      made(gone(), "not", owner()),
    ];
    const empty = join(temporary, `headstart-verify-${String(gone())}-eeeeee`);
    mkdirSync(empty);
    const { stdout, stderr } = headstart(
      cwd,
      ["verify", "--runner", "node", "--level", "likely", "--runs", "1", "--warmup", "0"],
      {
        TMPDIR: temporary,
      },
    );
    assert.match(stdout, /Report:/, stderr);
    assert.equal(existsSync(left), false);
    assert.equal(existsSync(empty), false);
    for (const folder of kept) assert.ok(existsSync(folder), folder);
    const verifications = readdirSync(temporary).filter((it) => it.includes("verify"));
    assert.equal(verifications.length, kept.length);
  });
});
