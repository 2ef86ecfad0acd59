import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { CLI, headstart, run, start } from "./command.js";

const FAST = 'export async function f(x) { "perhaps async"; return (await x) + 1; }\n';
const LIMIT = { timeout: 60_000, skip: process.platform === "win32" };

const fifo = (path: string) => void execFileSync("mkfifo", [path]);

/** What is left of writing somewhere. */
const temporaries = (folder: string) => readdirSync(folder).filter((it) => it.endsWith(".tmp"));

describe("headstart optimize, into what is no file", LIMIT, () => {
  it("writes to a pipe, also by way of a link, whatever the input is", async () => {
    const cwd = project({ "a.mjs": FAST, "b.txt": "text", "c.mjs": "async function (" });
    fifo(join(cwd, "pipe"));
    symlinkSync("pipe", join(cwd, "link"));
    for (const [input, output, text] of [
      ["a.mjs", "pipe", /f\$rest/],
      ["a.mjs", "link", /f\$rest/],
      ["b.txt", "pipe", /^text$/],
      ["c.mjs", "pipe", /^async function \($/],
    ] as const) {
      const read = readFile(join(cwd, "pipe"), "utf8");
      const { status, stderr } = await start(cwd, ["optimize", input, "-o", output]);
      assert.equal(status, input === "c.mjs" ? 2 : 0, stderr);
      assert.match(await read, text);
      assert.equal(lstatSync(join(cwd, "pipe")).isFIFO(), true);
      assert.equal(readlinkSync(join(cwd, "link")), "pipe");
    }
  });

  const skip = process.platform !== "linux";

  it("writes to what is open, be it a file that has no name any more", { skip }, () => {
    const cwd = project({ "a.mjs": FAST });
    // Its entry is a link as /dev/stdout is one, which this does not put at risk.
    symlinkSync("/proc/self/fd/3", join(cwd, "out"));
    const script = 'exec 3<>file; rm file; "$@"; cat /proc/self/fd/3 > copy';
    const command = [process.execPath, CLI, "optimize", "a.mjs", "-o", "out"];
    const { status, stderr } = run("sh", ["-c", script, "sh", ...command], cwd);
    assert.equal(status, 0, stderr);
    assert.equal(readlinkSync(join(cwd, "out")), "/proc/self/fd/3");
    assert.match(readFileSync(join(cwd, "copy"), "utf8"), /f\$rest/);
  });

  it("refuses a socket, and a source map beside a pipe", async () => {
    const cwd = project({ "a.mjs": FAST });
    fifo(join(cwd, "pipe"));
    const map = headstart(cwd, ["optimize", "a.mjs", "-o", "pipe", "--source-map"]);
    assert.equal(map.status, 2);
    assert.match(
      map.stderr,
      /^error: --source-map .* pipe is no regular file; name a file with -o/,
    );
    const server = createServer().listen(join(cwd, "socket"));
    await once(server, "listening");
    const { status, stderr } = await start(cwd, ["optimize", "a.mjs", "-o", "socket"]);
    server.close();
    assert.equal(status, 2);
    assert.match(stderr, /^error: socket is a socket, .*; name a file or a pipe with -o\n$/);
  });

  it("writes to a pipe that stands in the folder of the output", async () => {
    const cwd = project({ "in/a.mjs": FAST, "out/b.mjs": "" });
    fifo(join(cwd, "out/a.mjs"));
    const read = readFile(join(cwd, "out/a.mjs"), "utf8");
    assert.equal((await start(cwd, ["optimize", "in", "-o", "out"])).status, 0);
    assert.match(await read, /f\$rest/);
    assert.equal(lstatSync(join(cwd, "out/a.mjs")).isFIFO(), true);
  });

  it("says that a pipe in the folder of the input is left out", () => {
    const cwd = project({ "in/a.mjs": FAST });
    fifo(join(cwd, "in/pipe.mjs"));
    const { status, stderr } = headstart(cwd, ["optimize", "in", "-o", "out"]);
    assert.equal(status, 0);
    assert.equal(stderr, "warning: in/pipe.mjs is left out, since it is no regular file\n");
    assert.deepEqual(readdirSync(join(cwd, "out")), ["a.mjs"]);
  });
});

describe("headstart optimize, into what is a folder", () => {
  it("says so, and leaves no file that was on its way", () => {
    const cwd = project({ "in/a.mjs": FAST, "out/a.mjs/x": "" });
    const { status, stderr } = headstart(cwd, ["optimize", "in", "-o", "out"]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^error: out.a\.mjs cannot be written: it is a folder; remove it, or name/,
    );
    assert.deepEqual(temporaries(join(cwd, "out")), []);
    // A link that cannot be put there is said, too.
    const links = project({ "in/a.mjs": FAST, "out/link/x": "" });
    symlinkSync("a.mjs", join(links, "in/link"));
    assert.equal(headstart(links, ["optimize", "in", "-o", "out"]).status, 2);
    assert.deepEqual(temporaries(join(links, "out")), []);
  });
});

describe("headstart optimize, with links", () => {
  it("copies those that cannot be resolved, for whatever reason", () => {
    const cwd = project({ "in/a.mjs": FAST });
    const links = { self: "self", "in-file": "a.mjs/x", long: "x".repeat(300), gone: "no" };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(cwd, "in", name));
    for (const args of [
      ["in", "-o", "out"],
      ["in", "--in-place"],
    ]) {
      const { status, stderr } = headstart(cwd, ["optimize", ...args]);
      assert.equal(status, 0, stderr);
    }
    for (const folder of ["in", "out"]) {
      assert.match(readFileSync(join(cwd, folder, "a.mjs"), "utf8"), /f\$rest/);
      for (const [name, to] of Object.entries(links)) {
        assert.equal(readlinkSync(join(cwd, folder, name)), to, name);
      }
    }
  });

  it("leads them to what is copied, however they name it", () => {
    const cwd = project({
      "p/in/sub/b.mjs": FAST,
      "p/in/a.mjs": FAST,
      "p/in/node_modules/m/c.mjs": FAST,
      "p/other/d.mjs": FAST,
    });
    symlinkSync("p", join(cwd, "q"));
    const links: Readonly<Record<string, readonly [string, string]>> = {
      "plain.mjs": ["sub/b.mjs", "sub/b.mjs"],
      "absolute.mjs": [join(cwd, "p/in/a.mjs"), join(cwd, "out/a.mjs")],
      "absolute-folder": [join(cwd, "p/in/sub"), join(cwd, "out/sub")],
      whole: [join(cwd, "p/in"), join(cwd, "out")],
      "by-other-name.mjs": [join(cwd, "q/in/a.mjs"), join(cwd, "out/a.mjs")],
      "out-and-in.mjs": ["../in/a.mjs", "a.mjs"],
      "sub/out-and-in.mjs": ["../../in/a.mjs", "../a.mjs"],
      "sub/up.mjs": ["../a.mjs", "../a.mjs"],
      "to-nothing.mjs": [join(cwd, "p/in/none.mjs"), join(cwd, "out/none.mjs")],
      "by-folder.mjs": ["linked/../d.mjs", "linked/../d.mjs"],
      linked: ["../other/deep", "../p/other/deep"],
      // What is not copied stays where it is.
      package: ["node_modules/m", "../p/in/node_modules/m"],
      "absolute-package": [join(cwd, "p/in/node_modules/m"), join(cwd, "p/in/node_modules/m")],
      "outside.mjs": [join(cwd, "p/other/d.mjs"), join(cwd, "p/other/d.mjs")],
    };
    mkdirSync(join(cwd, "p/other/deep"));
    for (const [name, [to]] of Object.entries(links)) symlinkSync(to, join(cwd, "p/in", name));
    for (const input of ["p/in", "q/in"]) {
      const { status, stderr } = headstart(cwd, ["optimize", input, "-o", "out"]);
      assert.equal(status, 0, stderr);
      for (const [name, [, expected]] of Object.entries(links)) {
        assert.equal(readlinkSync(join(cwd, "out", name)), expected, name);
      }
    }
    for (const name of ["absolute.mjs", "out-and-in.mjs", "sub/out-and-in.mjs"]) {
      assert.match(readFileSync(join(cwd, "out", name), "utf8"), /f\$rest/, name);
    }
    for (const name of ["by-folder.mjs", "package/c.mjs"]) {
      assert.equal(readFileSync(join(cwd, "out", name), "utf8"), FAST, name);
    }
  });
});

describe("headstart optimize, of TypeScript", () => {
  it("does not write it into a file that is JavaScript by its name", () => {
    const cwd = project({ "a.ts": "export const a: number = 1;\n", "b.mjs": FAST });
    for (const output of ["a.js", "a.min.mjs"]) {
      const { status, stderr } = headstart(cwd, ["optimize", "a.ts", "-o", output]);
      assert.equal(status, 2);
      const name = output.replace(/\.m?js$/, ".ts");
      assert.ok(stderr.startsWith("error: a.ts is TypeScript, and stays it; name"), stderr);
      assert.ok(stderr.includes(`"-o ${name}"`), stderr);
      assert.equal(existsSync(join(cwd, output)), false);
    }
    for (const [input, output] of [
      ["a.ts", "b.mts"],
      ["a.ts", "a.out"],
      ["b.mjs", "b.ts"],
    ] as const) {
      assert.equal(headstart(cwd, ["optimize", input, "-o", output]).status, 0, output);
    }
  });
});
