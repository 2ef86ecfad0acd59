import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { CLI, ENV } from "./command.js";

/** Far more than a command may take to end: that it ends at all is what is asked. */
const LIMIT = { timeout: 120_000, skip: process.platform === "win32" };

/** What the programs begin with */
const BEGIN = `import fs from "node:fs/promises";
await fs.readFile("package.json");
setInterval(() => {}, 1000);
const up = () => console.log("up " + process.pid);
`;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether there is a recording of the await. */
  readonly isRecorded: boolean;
}

/** Observes a program, and sends signals as it prints lines; looks that nothing is left. */
async function ended(
  program: string,
  signals: readonly NodeJS.Signals[],
  command: readonly string[] = [process.execPath, "main.js"],
  toGroup = false,
): Promise<Ended> {
  const folder = project({ "package.json": '{"type":"module"}', "main.js": BEGIN + program });
  const temporary = project({ "tmp/empty": "" });
  const env = { ...ENV, TMPDIR: join(temporary, "tmp") };
  // A group of its own, as a terminal has one in front.
  const child = spawn(process.execPath, [CLI, "observe", "--", ...command], {
    ...{ cwd: folder, env, detached: true },
  });
  const texts = { stdout: "", stderr: "" };
  let sent = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    texts.stdout += text;
    const lines = texts.stdout.split("\n").length - 1;
    for (; sent < Math.min(lines, signals.length); sent++)
      process.kill(toGroup ? -(child.pid ?? 0) : (child.pid ?? 0), signals[sent]);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  const status = await new Promise<number | null>((done) => child.once("close", done));
  assert.deepEqual(readdirSync(join(temporary, "tmp")), ["empty"]);
  // One that was killed may be there until somebody has asked what became of it.
  for (const [, pid] of texts.stdout.matchAll(/up (\d+)/g))
    while (isAlive(Number(pid))) await new Promise((done) => setTimeout(done, 20));
  const recording = join(folder, ".headstart/evidence.json");
  const text = existsSync(recording) ? readFileSync(recording, "utf8") : "";
  return { status, ...texts, isRecorded: text.includes("fs read package.json") };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("observe: a signal asks the command to end", () => {
  for (const toGroup of [true, false]) {
    it(`which is told Ctrl-C once, and ends as it does (${String(toGroup)})`, LIMIT, async () => {
      const { status, stdout, stderr, isRecorded } = await ended(
        `process.on("SIGTERM", () => console.log("SIGTERM"));
process.on("SIGINT", () => { console.log("SIGINT"); setTimeout(() => process.exit(5), 300); });
up();
`,
        ["SIGINT"],
        undefined,
        toGroup,
      );
      assert.equal(status, 5, stderr);
      assert.match(stdout, /^up \d+\nSIGINT\n$/);
      assert.ok(isRecorded);
    });
  }

  for (const [signal, code] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`which does so at once (${signal})`, LIMIT, async () => {
      const { status, stderr, isRecorded } = await ended("up();\n", [signal]);
      assert.equal(status, code, stderr);
      assert.ok(isRecorded);
    });

    it(`and all that it has started, whatever that does with it (${signal})`, LIMIT, async () => {
      const inner = `process.on("SIGTERM", () => 0); process.on("SIGHUP", () => 0); process.on("SIGINT", () => 0); setInterval(() => 0, 1000); console.log("up " + process.pid)`;
      const { status, stderr } = await ended(
        `import { spawn } from "node:child_process";
spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], { stdio: "inherit" });
`,
        [signal],
      );
      assert.equal(status, code, stderr);
    });
  }

  it("and what has left its group", { ...LIMIT, skip: process.platform !== "linux" }, async () => {
    const inner = `setInterval(() => 0, 1000); console.log("up " + process.pid)`;
    const { status, stderr } = await ended(
      `import { spawn } from "node:child_process";
spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], { stdio: "inherit", detached: true });
`,
      ["SIGINT"],
    );
    assert.equal(status, 130, stderr);
  });

  it(
    "which handles SIGTERM is told that alone, and what it has seen is recorded",
    LIMIT,
    async () => {
      const { status, stdout, isRecorded } = await ended(
        `process.on("SIGTERM", async () => {
  await fs.readFile("package.json");
  console.log("closed");
  process.exit(0);
});
up();
`,
        ["SIGTERM"],
      );
      assert.equal(status, 0);
      assert.match(stdout, /^up \d+\nclosed\n$/);
      assert.ok(isRecorded);
    },
  );

  it("which does not is killed by the second", LIMIT, async () => {
    const { status, stderr } = await ended(
      `process.on("SIGINT", () => setTimeout(() => console.log("go on"), 400));
up();
`,
      ["SIGINT", "SIGINT"],
    );
    assert.equal(status, 130, stderr);
    assert.match(stderr, /^note: the command was killed/m);
  });

  it("which does not is killed when its time is over", LIMIT, async () => {
    const { status, stderr } = await ended('process.on("SIGINT", () => 0);\nup();\n', ["SIGINT"]);
    assert.equal(status, 130, stderr);
    assert.match(stderr, /^note: the command was killed/m);
  });

  it("which is not started where the copy is still being made", LIMIT, async () => {
    const temporary = join(project({ "tmp/empty": "" }), "tmp");
    const source = "export const load = async () => { await null; };\n".repeat(50);
    const files = Array.from({ length: 1000 }, (_, it) => [`many/${it}.js`, source] as const);
    const cwd = project({ "package.json": "{}", ...Object.fromEntries(files) });
    const command = [CLI, "observe", "--", process.execPath, "-e", "console.log('started')"];
    const child = spawn(process.execPath, command, { cwd, env: { ...ENV, TMPDIR: temporary } });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    while (readdirSync(temporary).length < 2) await new Promise((done) => setTimeout(done, 5));
    child.kill("SIGINT");
    assert.equal(await new Promise((done) => child.once("close", done)), 130);
    assert.equal(stdout, "");
    assert.deepEqual(readdirSync(temporary), ["empty"]);
    assert.equal(existsSync(join(cwd, ".headstart")), false);
  });
});
