import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { CLI, ENV, headstart, type Outcome, run } from "./command.js";
import { SLOW } from "./fixtures.js";

const JSON_REPORT = ["check", "--format", "json"];

/** What a report says was left out, and how many files it found something in. */
function reportOf(outcome: Outcome): { skipped: Map<string, string>; found: string[] } {
  const report = JSON.parse(outcome.stdout) as {
    skipped: { file: string; reason: string }[];
    findings: { file: string }[];
  };
  return {
    skipped: new Map(report.skipped.map(({ file, reason }) => [file, reason])),
    found: report.findings.map(({ file }) => file),
  };
}

/** A project in which `good.ts` has a finding, whatever stands beside it. */
function besides(files: Record<string, string>): string {
  return project({ "good.ts": SLOW, ...files });
}

/** The command as a user who is not root, to whom modes mean something. */
function asNobody(cwd: string, args: readonly string[]): Outcome {
  if (process.getuid?.() !== 0) return headstart(cwd, args);
  const result = spawnSync(process.execPath, [CLI, ...args], {
    cwd,
    env: ENV,
    encoding: "utf8",
    uid: 65534,
    gid: 65534,
  });
  if (result.error) throw result.error;
  return result;
}

describe("a file that cannot be used is said so, and the others are looked at:", () => {
  it("not UTF-8", () => {
    const cwd = besides({});
    writeFileSync(join(cwd, "latin1.ts"), Buffer.from("const a = '\xe9';\n", "latin1"));
    const { skipped, found } = reportOf(headstart(cwd, JSON_REPORT));
    assert.match(skipped.get("latin1.ts") ?? "", /not UTF-8: byte 11/);
    assert.deepEqual(found, ["good.ts"]);
  });

  it("unreadable, file and folder", { skip: process.platform === "win32" }, () => {
    const cwd = besides({ "closed.ts": SLOW, "shut/inside.ts": SLOW });
    chmodSync(cwd, 0o755);
    chmodSync(join(cwd, "closed.ts"), 0o000);
    chmodSync(join(cwd, "shut"), 0o000);
    const { skipped, found } = reportOf(asNobody(cwd, JSON_REPORT));
    assert.match(skipped.get("closed.ts") ?? "", /permission denied; check its mode/);
    assert.match(skipped.get("shut") ?? "", /permission denied; check its mode/);
    assert.deepEqual(found, ["good.ts"]);
    chmodSync(join(cwd, "shut"), 0o755);
  });

  it("a syntax error, with its place", () => {
    const { stderr, stdout, status } = headstart(besides({ "bad.ts": "let a = 1;\nlet = ;\n" }), [
      "check",
    ]);
    assert.match(stderr, /bad\.ts:2:\d+: does not parse/);
    assert.match(stdout, /good\.ts/);
    assert.equal(status, 1);
  });

  it("50 MB", () => {
    const cwd = besides({ "huge.js": "f();\n".repeat(10 << 20) });
    const { skipped, found } = reportOf(headstart(cwd, JSON_REPORT));
    assert.match(skipped.get("huge.js") ?? "", /50 MB is more than the 20 MB.*exclude/);
    assert.deepEqual(found, ["good.ts"]);
  });

  it("nested deeper than memory", () => {
    const cwd = besides({ "deep.js": "!".repeat(10 << 20) });
    const { skipped, found } = reportOf(headstart(cwd, JSON_REPORT));
    assert.match(skipped.get("deep.js") ?? "", /nested too deeply/);
    assert.deepEqual(found, ["good.ts"]);
  });

  it("a name that is no source file", () => {
    const cwd = besides({ "notes.txt": "x" });
    const { skipped, found } = reportOf(headstart(cwd, [...JSON_REPORT, "notes.txt", "good.ts"]));
    assert.match(skipped.get("notes.txt") ?? "", /not a JavaScript or TypeScript file/);
    assert.deepEqual(found, ["good.ts"]);
  });
});

describe("what is odd but usable is used:", () => {
  it("an empty file", () => {
    const { skipped, found } = reportOf(headstart(besides({ "empty.ts": "" }), JSON_REPORT));
    assert.equal(skipped.size, 0);
    assert.deepEqual(found, ["good.ts"]);
  });

  it("a minified file: nothing is reported in it, and why is said", () => {
    const line = SLOW.replaceAll("\n", " ");
    const cwd = besides({ "app.bundle.ts": line + "f(1);".repeat(4000) });
    const { stderr, stdout } = headstart(cwd, ["check"]);
    assert.match(stderr, /app\.bundle\.ts: minified or generated.*exclude/);
    assert.doesNotMatch(stdout, /app\.bundle\.ts/);
  });

  it("a minified file by its name: left out, but what an import leads to counts", () => {
    const replaces = 'import fs from "node:fs/promises";fs.readFile=async()=>"";';
    const cwd = besides({ "a.min.js": replaces, "b.ts": SLOW });
    assert.doesNotMatch(headstart(cwd, ["check"]).stdout, /a\.min\.js/);
    const importing = besides({ "a.min.js": replaces, "b.ts": `import "./a.min.js";\n${SLOW}` });
    assert.match(headstart(importing, ["check"]).stdout, /assumes .*a\.min\.js:1/);
  });

  it("files that import each other, and themselves", () => {
    const cwd = besides({
      "a.ts": 'import "./b.js";\nimport "./a.js";\n',
      "b.ts": 'export * from "./a.js";\n',
    });
    assert.deepEqual(reportOf(headstart(cwd, JSON_REPORT)).found, ["good.ts"]);
  });

  it("links that lead in circles", { skip: process.platform === "win32" }, () => {
    const cwd = besides({ "src/other.ts": SLOW });
    symlinkSync("..", join(cwd, "src/up"));
    symlinkSync("loop", join(cwd, "loop"));
    symlinkSync("nowhere.ts", join(cwd, "dangling.ts"));
    const { found } = reportOf(headstart(cwd, JSON_REPORT));
    assert.deepEqual(found.sort(), ["good.ts", "src/other.ts"]);
  });

  it("a tsconfig that is broken, or extends what is not installed", () => {
    const text = 'import x from "@app/x";\nexport default x;\n';
    const cases = [
      ["{ broken", /warning: tsconfig\.json: cannot be used/],
      [
        '{ "extends": "@company/tsconfig" }',
        /warning: tsconfig\.json: extends `@company\/tsconfig`, which is not installed/,
      ],
    ] as const;
    for (const [config, warning] of cases) {
      const outcome = headstart(besides({ "tsconfig.json": config, "a.ts": text }), ["check"]);
      assert.match(outcome.stderr, warning);
      assert.match(outcome.stdout, /good\.ts/);
      assert.equal(outcome.status, 1);
    }
  });

  it("a byte order mark and carriage returns, which fix keeps", () => {
    const cwd = project({ "bom.ts": `\ufeff${SLOW.replaceAll("\n", "\r\n")}` });
    assert.equal(headstart(cwd, ["fix"]).status, 0);
    const text = readFileSync(join(cwd, "bom.ts"), "utf8");
    assert.match(text, /^\ufeffimport/);
    assert.match(text, /Promise\.all\(\[\r\n/);
    assert.equal(text.replaceAll("\r\n", "").includes("\n"), false);
  });
});

describe("fix, where it cannot write,", () => {
  it("names the read-only file and writes the others", () => {
    const cwd = besides({ "locked.ts": SLOW });
    chmodSync(join(cwd, "locked.ts"), 0o444);
    const { status, stderr } = headstart(cwd, ["fix"]);
    assert.equal(status, 2);
    assert.match(stderr, /locked\.ts.*read-only/);
    assert.equal(readFileSync(join(cwd, "locked.ts"), "utf8"), SLOW);
    assert.match(readFileSync(join(cwd, "good.ts"), "utf8"), /Promise\.all/);
    assert.deepEqual(readdirSync(cwd).sort(), [".git", "good.ts", "locked.ts"]);
  });

  it("leaves a file whole when the disk is full", { skip: process.platform !== "linux" }, () => {
    const cwd = project({});
    const script = [
      'mount -t tmpfs -o size=64k none "$1" && cd "$1"',
      "cat >good.ts && head -c 100000 /dev/zero >fill 2>/dev/null",
      '"$2" "$3" fix; echo "status $?"; cat good.ts; ls -A',
    ].join("; ");
    const mounted = ["-rm", "bash", "-c", script, "bash", cwd, process.execPath, CLI];
    const outcome = run("unshare", mounted, cwd, {}, SLOW);
    if (/mount|unshare/.test(outcome.stderr)) {
      // No right to mount here: a limit on the size of files ends the write just as well.
      writeFileSync(join(cwd, "good.ts"), `${SLOW}// ${"x".repeat(4000)}\n`);
      const limited = `trap '' XFSZ; ulimit -f 2; "$0" "$1" fix; echo "status $?"; ls -A`;
      const other = run("bash", ["-c", limited, process.execPath, CLI], cwd);
      assert.match(other.stdout, /status 2\ngood\.ts\n$/);
      return;
    }
    assert.match(outcome.stderr, /good\.ts.*(space|full)/i);
    assert.equal(outcome.stdout.endsWith(`status 2\n${SLOW}fill\ngood.ts\n`), true, outcome.stdout);
  });

  it("says so in a folder that may not be written", { skip: process.platform === "win32" }, () => {
    const cwd = besides({});
    mkdirSync(join(cwd, "own"), { mode: 0o777 });
    chmodSync(cwd, 0o555);
    chmodSync(join(cwd, "good.ts"), 0o666);
    const { status, stderr } = asNobody(cwd, ["fix"]);
    chmodSync(cwd, 0o755);
    assert.equal(status, 2);
    assert.match(stderr, /good\.ts|folder/);
    assert.equal(readFileSync(join(cwd, "good.ts"), "utf8"), SLOW);
  });
});
