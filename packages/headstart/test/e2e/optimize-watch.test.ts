import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { CLI, ENV, headstart } from "./command.js";

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
  it("follows what happens to files, until Ctrl-C", { timeout: 60_000 }, async () => {
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

  it("does not write where it reads", () => {
    const cwd = project({ "a.mjs": FUNCTION });
    const { status, stderr } = headstart(cwd, ["optimize", "a.mjs", "-o", "a.mjs", "--watch"]);
    assert.equal(status, 2);
    assert.match(stderr, /would see its own work; name another place with -o/);
  });
});
