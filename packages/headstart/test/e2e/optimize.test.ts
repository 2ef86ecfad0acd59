import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
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
      "in/binary.js": "\uFFFD\u0000\u0000",
    });
    const { status, stdout, stderr } = headstart(folder, [
      ...["optimize", "in", "-o", "out"],
      ...["--report", "--source-map"],
    ]);
    assert.equal(status, 2);
    assert.match(stderr, /bad\.mjs:1:\d+: .*; it was copied as it is/);
    assert.match(stderr, /binary\.js:1:\d+: File appears to be binary; it was copied as it is/);
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

  const FAST = 'export async function f(x) { "perhaps async"; return (await x) + 1; }\n';

  /** Runs `optimize` where it has to refuse, and says why. */
  function refused(folder: string, args: readonly string[], files: readonly string[]): string {
    const { status, stdout, stderr } = headstart(folder, ["optimize", ...args]);
    assert.equal(status, 2, stdout);
    assert.equal(stdout, "");
    for (const file of files) assert.equal(readFileSync(join(folder, file), "utf8"), FAST, file);
    return stderr;
  }

  it("does not overwrite what it reads, by whatever name", () => {
    const folder = project({ "a.mjs": FAST, "src/b.mjs": FAST, "src/src/b.mjs": FAST });
    symlinkSync("a.mjs", join(folder, "link.mjs"));
    linkSync(join(folder, "a.mjs"), join(folder, "hard.mjs"));
    symlinkSync("src", join(folder, "linked"));
    mkdirSync(join(folder, "sub"));
    const outputs: readonly (readonly [string, string])[] = [
      ["a.mjs", "a.mjs"],
      ["a.mjs", "./sub/../a.mjs"],
      ["a.mjs", join(folder, "a.mjs")],
      ["a.mjs", "link.mjs"],
      ["link.mjs", "a.mjs"],
      ["a.mjs", "hard.mjs"],
      ["src", "src"],
      ["src", "linked"],
      ["linked", "src/"],
      ["src", "./src/."],
    ];
    const files = ["a.mjs", "link.mjs", "hard.mjs", "src/b.mjs", "src/src/b.mjs"];
    for (const [input, output] of outputs) {
      const said = refused(folder, [input, "-o", output], files);
      assert.ok(said.includes(`${output} is ${input} itself; name another place with -o`), said);
      assert.match(said, /or overwrite it with --in-place/);
    }
    // src/src/b.mjs would go to src/b.mjs.
    assert.match(
      refused(folder, ["src", "-o", "."], files),
      /src.b\.mjs would be overwritten, which is read, too; name a place outside of src with -o/,
    );
    assert.match(refused(folder, ["a.mjs", "-o", "src"], files), /src is a folder; name the file/);
    assert.match(refused(folder, ["src", "-o", "a.mjs"], files), /a\.mjs is a file, and src/);
    assert.equal(existsSync(join(folder, "b.mjs")), false);
    for (const more of [[], ["--in-place"]]) {
      const said = refused(folder, ["src", "-o", "src", "--watch", ...more], files);
      assert.match(said, /would see its own work; name another place with -o/);
    }
  });

  it("says which place cannot be written, and what to do", () => {
    const folder = project({ "a.mjs": FAST, "src/b.mjs": FAST, file: "", "closed/c.txt": "" });
    for (const [input, output] of [
      ["a.mjs", "file/x.mjs"],
      ["a.mjs", "file/sub/x.mjs"],
      ["src", "file/out"],
    ] as const) {
      const said = refused(folder, [input, "-o", output], ["a.mjs", "src/b.mjs"]);
      assert.match(said, /^error: file.* cannot be written: ENOTDIR.*; name a place.* with -o\n$/);
    }
    chmodSync(join(folder, "closed"), 0o500);
    // Root writes everywhere.
    if (process.getuid?.() !== 0) {
      const said = refused(folder, ["a.mjs", "-o", "closed/x.mjs"], ["a.mjs"]);
      assert.match(
        said,
        /^error: closed.x\.mjs cannot be written: EACCES.*; name a place.* with -o\n$/,
      );
    }
    chmodSync(join(folder, "closed"), 0o700);
  });

  it("overwrites its input where it is asked to", () => {
    const folder = project({ "a.mjs": FAST, "src/b.mjs": FAST, "src/c.json": "{}" });
    for (const args of [
      ["a.mjs", "--in-place"],
      ["src", "-o", "./src", "--in-place"],
    ]) {
      assert.equal(headstart(folder, ["optimize", ...args]).status, 0);
    }
    for (const file of ["a.mjs", "src/b.mjs"]) {
      assert.match(readFileSync(join(folder, file), "utf8"), /f\$rest/);
    }
    assert.equal(readFileSync(join(folder, "src/c.json"), "utf8"), "{}");
    const { status, stderr } = headstart(folder, ["optimize", "src", "--in-place", "-o", "other"]);
    assert.equal(status, 2);
    assert.match(stderr, /--in-place overwrites src, but -o names other/);
  });

  it("keeps who may do what with a file", () => {
    const modes = [0o755, 0o700, 0o600, 0o444, 0o4755];
    const names = modes.flatMap((mode) => [`${mode.toString(8)}.mjs`, `${mode.toString(8)}.sh`]);
    const modeOf = (file: string) => statSync(file).mode & 0o7777;
    const folder = project(Object.fromEntries(names.map((name) => [`in/${name}`, FAST])));
    const set = () => {
      for (const name of names) chmodSync(join(folder, "in", name), parseInt(name, 8));
    };
    set();
    assert.equal(headstart(folder, ["optimize", "in", "-o", "out", "--source-map"]).status, 0);
    assert.equal(headstart(folder, ["optimize", "in/755.mjs", "-o", "one.mjs"]).status, 0);
    assert.equal(modeOf(join(folder, "one.mjs")), 0o755);
    for (const name of names.filter((it) => it.endsWith(".mjs"))) {
      assert.equal(modeOf(join(folder, "out", name)), parseInt(name, 8), name);
    }
    // A second time, over what is there.
    assert.equal(headstart(folder, ["optimize", "in", "-o", "out"]).status, 0);
    assert.equal(headstart(folder, ["optimize", "in", "--in-place"]).status, 0);
    for (const name of names) {
      assert.equal(modeOf(join(folder, "in", name)), parseInt(name, 8), name);
      const copied = parseInt(name, 8) & 0o777;
      assert.equal(modeOf(join(folder, "out", name)) & 0o777, copied, name);
    }
  });

  it("leaves hard links what they are with --in-place", () => {
    const folder = project({ "in/a.mjs": FAST });
    linkSync(join(folder, "in/a.mjs"), join(folder, "same.mjs"));
    assert.equal(headstart(folder, ["optimize", "in", "--in-place"]).status, 0);
    assert.match(readFileSync(join(folder, "same.mjs"), "utf8"), /f\$rest/);
    assert.equal(statSync(join(folder, "same.mjs")).ino, statSync(join(folder, "in/a.mjs")).ino);
  });

  it("copies links as links, and writes through none", () => {
    const folder = project({
      "in/a.mjs": FAST,
      "in/sub/b.mjs": FAST,
      "in/node_modules/p.mjs": FAST,
      "other/c.mjs": FAST,
    });
    const links: Readonly<Record<string, string>> = {
      "a-link.mjs": "a.mjs",
      "sub/up.mjs": "../a.mjs",
      "sub-link": "sub",
      "outside.mjs": "../other/c.mjs",
      "outside-folder": "../other",
      "absolute.mjs": join(folder, "in/a.mjs"),
      "dangling.mjs": "nowhere.mjs",
    };
    for (const [name, to] of Object.entries(links)) symlinkSync(to, join(folder, "in", name));
    symlinkSync("../other", join(folder, "in/.hidden"));
    for (const round of ["first", "second"]) {
      const { status, stderr } = headstart(folder, ["optimize", "in", "-o", "deep/er/out"]);
      assert.equal(status, 0, `${round}: ${stderr}`);
    }
    const out = join(folder, "deep/er/out");
    const moved: Readonly<Record<string, string>> = {
      "outside.mjs": "../../../other/c.mjs",
      "outside-folder": "../../../other",
      "absolute.mjs": join(out, "a.mjs"),
    };
    for (const [name, to] of Object.entries(links)) {
      const expected = moved[name] ?? to;
      assert.equal(readlinkSync(join(out, name)), expected, name);
    }
    assert.match(readFileSync(join(out, "a-link.mjs"), "utf8"), /f\$rest/);
    assert.equal(readFileSync(join(out, "outside.mjs"), "utf8"), FAST);
    assert.equal(existsSync(join(out, ".hidden")), false);
    assert.equal(existsSync(join(out, "node_modules")), false);
    // What a link became another time is written in its place, not where it led.
    const plain = project({ "in/a.txt": "new", "in/b.mjs": FAST, "led.txt": "old" });
    mkdirSync(join(plain, "out"));
    for (const name of ["a.txt", "b.mjs"]) symlinkSync("../led.txt", join(plain, "out", name));
    assert.equal(headstart(plain, ["optimize", "in", "-o", "out"]).status, 0);
    assert.equal(readFileSync(join(plain, "led.txt"), "utf8"), "old");
    assert.equal(readFileSync(join(plain, "out/a.txt"), "utf8"), "new");
    assert.equal(headstart(folder, ["optimize", "in", "--in-place"]).status, 0);
    assert.equal(readlinkSync(join(folder, "in/a-link.mjs")), "a.mjs");
  });

  it("names links that cannot be copied", () => {
    const folder = project({ "in/a.mjs": FAST, "out/link/b.mjs": FAST });
    symlinkSync("a.mjs", join(folder, "in/link"));
    const { status, stderr } = headstart(folder, ["optimize", "in", "-o", "out"]);
    assert.equal(status, 2);
    assert.match(stderr, /in.link: a link that could not be copied: /);
    assert.match(readFileSync(join(folder, "out/a.mjs"), "utf8"), /f\$rest/);
  });

  it("says which awaits it has changed in functions that stay as they are", () => {
    const folder = project({
      "a.mjs":
        "async function load(x) { return x; }\n" +
        "export async function all(xs) {\n" +
        "  let sum = 0;\n" +
        "  for (const x of xs) sum += await load(x) + (await load(2));\n" +
        "  return sum;\n" +
        "}\n",
    });
    const { stdout } = headstart(folder, ["optimize", "a.mjs", "-o", "b.mjs", "--report"]);
    const line =
      /a\.mjs:2:8 all: kept; 2 awaits of load no longer wait where nothing is pending: nothing in/;
    assert.match(stdout, line);
  });

  it("writes into a folder of its input, and reads nothing of it", () => {
    const folder = project({ "src/a.mjs": FAST });
    for (const round of ["first", "second"]) {
      assert.equal(headstart(folder, ["optimize", "src", "-o", "src/build"]).status, 0, round);
    }
    assert.equal(existsSync(join(folder, "src/build/a.mjs")), true);
    assert.equal(existsSync(join(folder, "src/build/build")), false);
  });

  it("knows CommonJS by its name", () => {
    const text =
      "async function f(n) { return n; }\nasync function main() { await null; console.log(await f(1)); }\nmain();\n";
    const typed = text.replace("f(n)", "f(n: number): Promise<number>");
    const folder = project({ "in/a.cjs": text, "in/b.cts": typed, "in/c.js": text });
    const { stdout } = headstart(folder, ["optimize", "in", "-o", "out", "--report"]);
    assert.match(stdout, /a\.cjs:1:1 f: converted for all callers/);
    assert.match(stdout, /b\.cts:1:1 f: converted for all callers/);
    assert.match(stdout, /c\.js:1:1 f: kept: it may be a global of a script/);
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
    assert.match(stdout, /^async function load\(name\) \{ +│ async function load\(name\) \{$/m);
    assert.match(stdout, /^ +│ function load\$fast\(name\) \{$/m);
    const kept = headstart(folder, ["explain", "a.mjs:6"]);
    assert.match(kept.stdout, /^optimize: `all` stays as it is: nothing in this file awaits/m);
    const neither = headstart(folder, ["explain", "a.mjs:1"]);
    assert.equal(neither.status, 2);
    assert.match(neither.stderr, /no await on this line, and no async function begins here/);
  });
});
