import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project, writeFiles } from "../temp.js";
import { CLI, ENV, headstart } from "./command.js";

const LIMIT = { timeout: 60_000 };

const FUNCTION = 'export async function f(x) { "perhaps async"; return (await x) + 1; }\n';

/** A command that runs on, and what it has said. */
class Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #said = { stdout: "", stderr: "" };
  #heard: () => void = () => undefined;

  constructor(cwd: string, args: readonly string[]) {
    this.child = spawn(process.execPath, [CLI, ...args], { cwd, env: ENV });
    for (const name of ["stdout", "stderr"] as const) {
      this.child[name].setEncoding("utf8").on("data", (text: string) => {
        this.#said[name] += text;
        this.#heard();
      });
    }
  }

  /** Waits for a text, and forgets all that was said there up to its end. */
  async says(text: string, name: "stdout" | "stderr" = "stdout"): Promise<string> {
    for (;;) {
      const said = this.#said[name];
      const end = said.indexOf(text);
      if (end >= 0) {
        this.#said[name] = said.slice(end + text.length);
        return said.slice(0, end);
      }
      if (this.child.exitCode !== null) throw new Error(JSON.stringify(this.#said));
      await new Promise<void>((done) => (this.#heard = done));
    }
  }
}

describe("headstart optimize --watch", () => {
  it("follows what happens to files, until Ctrl-C", LIMIT, async () => {
    const cwd = project({
      "in/a.mjs": FUNCTION,
      "in/sub/b.mjs": FUNCTION,
      "in/plain.json": "{}",
      "out/other.mjs": "// of somebody else\n",
      "out/theirs.mjs": "// of somebody else\n",
    });
    const at = (name: string) => join(cwd, name);
    const read = (name: string) => readFileSync(at(name), "utf8");
    const running = new Running(cwd, ["optimize", "in", "-o", "out", "--watch", "--source-map"]);
    try {
      await running.says("3 files written; watching for changes");
      assert.match(read("out/a.mjs"), /f\$rest/);
      const before = read("out/sub/b.mjs");

      writeFileSync(at("in/a.mjs"), FUNCTION.replace("+ 1", "+ 2"));
      assert.equal((await running.says("a.mjs: written")).includes("b.mjs"), false);
      assert.match(read("out/a.mjs"), /\+ 2/);
      assert.equal(read("out/sub/b.mjs"), before);

      // As editors do it, and once more after that.
      for (const number of ["3", "4"]) {
        writeFileSync(at("a.tmp"), FUNCTION.replace("+ 1", `+ ${number}`));
        renameSync(at("a.tmp"), at("in/a.mjs"));
        await running.says("a.mjs: written");
        assert.match(read("out/a.mjs"), new RegExp(`\\+ ${number}`));
      }

      writeFileSync(at("in/a.mjs"), "export async function (");
      await running.says("a.mjs:1:", "stderr");
      await running.says("a.mjs: written");
      assert.equal(read("out/a.mjs"), "export async function (");
      assert.equal(existsSync(at("out/a.mjs.map")), false);

      writeFileSync(at("in/sub/new.mjs"), FUNCTION);
      await running.says("new.mjs: written");
      assert.match(read("out/sub/new.mjs"), /f\$rest/);

      rmSync(at("in/sub"), { recursive: true });
      await running.says(".mjs: removed");
      await running.says(".mjs: removed");
      for (const gone of ["b.mjs", "b.mjs.map", "new.mjs", "new.mjs.map"]) {
        assert.equal(existsSync(at(`out/sub/${gone}`)), false, gone);
      }
      assert.equal(read("out/theirs.mjs"), "// of somebody else\n");

      running.child.kill("SIGINT");
      const [code] = (await once(running.child, "exit")) as [number];
      assert.equal(code, 130);
    } finally {
      running.child.kill("SIGKILL");
    }
  });

  it("has what was a file give way to a folder, and the other way round", LIMIT, async () => {
    const cwd = project({
      "in/a.mjs": FUNCTION,
      "in/b/c/d.mjs": FUNCTION,
      "in/b/e.mjs": FUNCTION,
      "in/full/f.mjs": FUNCTION,
      "out/full/theirs.mjs": "",
    });
    const at = (name: string) => join(cwd, name);
    const running = new Running(cwd, ["optimize", "in", "-o", "out", "--watch"]);
    try {
      await running.says("4 files written; watching for changes");
      rmSync(at("in/a.mjs"));
      writeFiles(cwd, { "in/a.mjs/new.mjs": FUNCTION });
      await running.says("new.mjs: written");
      assert.match(readFileSync(at("out/a.mjs/new.mjs"), "utf8"), /f\$rest/);

      rmSync(at("in/b"), { recursive: true });
      writeFiles(cwd, { "in/b": "text" });
      await running.says("in/b: written");
      assert.equal(readFileSync(at("out/b"), "utf8"), "text");

      // What others have written there stays.
      rmSync(at("in/full"), { recursive: true });
      writeFiles(cwd, { "in/full": "text" });
      await running.says("out/full cannot be written: it is a folder; remove it, or", "stderr");
      assert.deepEqual(readdirSync(at("out/full")), ["theirs.mjs"]);
      assert.deepEqual(readdirSync(at("out")).sort(), ["a.mjs", "b", "full"]);
    } finally {
      running.child.kill("SIGKILL");
    }
  });

  it("says that its folder is gone, and takes away what it wrote", LIMIT, async () => {
    const cwd = project({ "in/a.mjs": FUNCTION, "in/b/c.mjs": FUNCTION, "out/theirs.mjs": "" });
    const running = new Running(cwd, ["optimize", "in", "-o", "out", "--watch"]);
    try {
      await running.says("2 files written; watching for changes");
      const exit = once(running.child, "exit");
      rmSync(join(cwd, "in"), { recursive: true });
      await running.says("error: in is gone, and so is what was written for it", "stderr");
      assert.deepEqual(await exit, [2, null]);
      assert.deepEqual(readdirSync(join(cwd, "out")), ["theirs.mjs"]);
    } finally {
      running.child.kill("SIGKILL");
    }
  });

  it("goes on where links cannot be resolved, and where pipes appear", LIMIT, async () => {
    const cwd = project({ "in/a.mjs": FUNCTION });
    const links = { self: "self", "in-file": "a.mjs/x", long: "x".repeat(300) };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(cwd, "in", name));
    const running = new Running(cwd, ["optimize", "in", "-o", "out", "--watch"]);
    try {
      await running.says("4 files written; watching for changes");
      assert.equal(readlinkSync(join(cwd, "out/self")), "self");
      execFileSync("mkfifo", [join(cwd, "in/pipe.mjs")]);
      await running.says("warning: in/pipe.mjs is left out", "stderr");
      writeFiles(cwd, { "in/b.mjs": FUNCTION });
      await running.says("b.mjs: written");
    } finally {
      running.child.kill("SIGKILL");
    }
  });

  it("ends at Ctrl-C where nobody reads from the pipe that it writes to", LIMIT, async () => {
    const cwd = project({ "a.mjs": FUNCTION });
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const running = new Running(cwd, ["optimize", "a.mjs", "-o", "pipe", "--watch"]);
    try {
      const read = readFile(join(cwd, "pipe"), "utf8");
      await running.says("1 files written; watching for changes");
      assert.match(await read, /f\$rest/);
      writeFiles(cwd, { "a.mjs": "const other = 1;\n" });
      running.child.kill("SIGINT");
      assert.deepEqual(await once(running.child, "exit"), [130, null]);
      assert.equal(lstatSync(join(cwd, "pipe")).isFIFO(), true);
    } finally {
      running.child.kill("SIGKILL");
    }
  });

  it("does not write where it reads", () => {
    const cwd = project({ "a.mjs": FUNCTION });
    const { status, stderr } = headstart(cwd, ["optimize", "a.mjs", "-o", "a.mjs", "--watch"]);
    assert.equal(status, 2);
    assert.match(stderr, /would see its own work; name another place with -o/);
  });
});
