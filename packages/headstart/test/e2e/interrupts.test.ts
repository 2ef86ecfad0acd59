import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { CLI, ENV, headstart, start } from "./command.js";
import { many, SLOW } from "./fixtures.js";
import { HAS_PIPES, opened, pipe } from "./pipe.js";

/** Far more than a command may take to end: that it ends at all is what is asked. */
const LIMIT = { timeout: 120_000 };

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/**
 * A project that keeps the addon busy for ever: the list of what git ignores is a pipe, which nobody
 * writes into.
 */
function endless(): { cwd: string; waiting: string } {
  const cwd = project({ "package.json": '{"name":"endless"}', "a.ts": SLOW });
  return { cwd, waiting: pipe(cwd, ".gitignore") };
}

describe("while the addon is busy, one signal ends", { skip: !HAS_PIPES }, () => {
  const commands = [
    ["check"],
    ["check", "--format", "json"],
    ["fix"],
    ["fix", "--diff"],
    ["explain", "a.ts:5"],
    ["effects", "a.ts"],
    ["callgraph"],
    ["verify"],
  ];
  for (const command of commands) {
    for (const [signal, code] of SIGNALS) {
      it(`${command.join(" ")} (${signal})`, LIMIT, async () => {
        const { cwd, waiting } = endless();
        const outcome = await start(cwd, command, (kill) => {
          void opened(waiting).then(() => {
            kill(signal);
          });
        });
        assert.equal(outcome.status, code, outcome.stderr);
        assert.equal(outcome.stdout, "");
        assert.equal(readFileSync(join(cwd, "a.ts"), "utf8"), SLOW);
      });
    }
  }
});

describe("one signal ends", () => {
  it("a command whose output nobody takes", LIMIT, async () => {
    const cwd = project(many(100));
    const child = spawn(process.execPath, [CLI, "check", "--format", "json"], { cwd, env: ENV });
    await new Promise((done) => child.stdout.once("readable", done));
    child.kill("SIGTERM");
    const ended = await new Promise((done) => {
      child.once("exit", (status, signal) => {
        done(status ?? signal);
      });
    });
    assert.ok(ended === 143 || ended === "SIGTERM", String(ended));
  });

  it("optimize, and what it wrote is whole", LIMIT, async () => {
    const files = many(400);
    const cwd = project(files);
    const outcome = await start(cwd, ["optimize", "src", "-o", "out"], (kill) => {
      setTimeout(() => {
        kill("SIGINT");
      }, 300);
    });
    assert.ok(outcome.signal === "SIGINT" || outcome.status === 130 || outcome.status === 0);
    assert.equal(headstart(cwd, ["optimize", "src", "-o", "out"]).status, 0);
  });
});

describe("what is no regular file is refused:", { skip: !HAS_PIPES }, () => {
  const cwd = project({ "a.ts": SLOW, "m.yml": "" });
  pipe(cwd, "pipe.ts");
  pipe(cwd, "pipe.yml");
  pipe(cwd, "pipe.json");
  const commands = [
    ["check", "pipe.ts"],
    ["fix", "pipe.ts"],
    ["explain", "pipe.ts:1"],
    ["effects", "pipe.ts"],
    ["callgraph", "pipe.ts"],
    ["optimize", "pipe.ts", "-o", "out.ts"],
    ["models", "check", "pipe.yml"],
    ["check", "--models", "pipe.yml"],
    ["check", "--config", "pipe.json"],
    ["optimize", "/dev/stdin", "-o", "out.ts"],
    ["explain", "/dev/null:1"],
  ];
  for (const command of commands) {
    it(command.join(" "), LIMIT, () => {
      const { status, stderr } = headstart(cwd, command);
      assert.equal(status, 2);
      assert.match(stderr, /not a regular file/);
    });
  }

  it("the other files are looked at", LIMIT, () => {
    const { status, stdout, stderr } = headstart(cwd, ["check", "pipe.ts", "a.ts"]);
    assert.match(stderr, /skipped: pipe\.ts: is a named pipe, not a regular file/);
    assert.match(stdout, /a\.ts/);
    assert.equal(status, 1);
  });
});
