import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { headstart, type Outcome, start } from "./command.js";

const MANIFEST = '{"name":"made","type":"module","scripts":{"test":"node --test"}}';

const STORE = `import { readFile } from "node:fs/promises";

export class Store {
  constructor(data, config) {
    this.data = data;
    this.config = config;
  }

  async load() {
    const data = await readFile(this.data, "utf8");
    const config = await readFile(this.config, "utf8");
    return data + config;
  }
}

export async function both() {
  const a = await readFile("a.txt", "utf8");
  const b = await readFile("b.txt", "utf8");
  return a + b;
}
`;

const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { both, Store } from "./store.js";

test("both", async () => assert.equal(await both(), "ab"));
test("a store that is told late what to read", async () => {
  const store = new Store("a.txt", "missing.txt");
  const loading = store.load();
  store.config = "b.txt";
  assert.equal(await loading, "ab");
});
test("nothing asynchronous", () => assert.equal(1, 1));
`;

const FILES = {
  "package.json": MANIFEST,
  "store.js": STORE,
  "store.test.js": TESTS,
  "a.txt": "a",
  "b.txt": "b",
};
const FEW = ["--runs", "1", "--warmup", "0"];

/** All that is in a folder, with what it says. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

describe("verify", () => {
  it("says that a safe rewrite is right, writes a report, and leaves the project alone", () => {
    const [cwd, out] = [project(FILES), join(project(), "out")];
    const outcome = headstart(cwd, ["verify", ...FEW, "--out", out]);
    assert.equal(outcome.status, 0, outcome.stderr);
    assert.match(outcome.stdout, /Right: 3 of 3 tests say the same/);
    assert.match(outcome.stdout, /^both +\d/m);
    assert.ok(outcome.stdout.includes(`Report: ${join(out, "report.html")}`));
    assert.deepEqual(contents(cwd), FILES);
    const result = JSON.parse(readFileSync(join(out, "result.json"), "utf8")) as {
      sites: { file: string; line: number; operations: unknown[]; diff: string }[];
    };
    assert.deepEqual(
      result.sites.map(({ file, operations }) => [file, operations.length]),
      [["store.js", 2]],
    );
    assert.match(result.sites[0]?.diff ?? "", /^\+ {2}const \[a, b\] = await Promise\.all/m);
    assert.match(readFileSync(join(out, "report.html"), "utf8"), /<!doctype html>/);
    assert.match(readFileSync(join(out, "tests.csv"), "utf8"), /^project,test,/);
  });

  it("finds the rewrite that breaks a test, for its assumption does not hold", () => {
    const cwd = project(FILES);
    const args = ["verify", "--level", "likely", "--bisect", ...FEW, "--out", join(project(), "o")];
    const { status, stdout } = headstart(cwd, args);
    assert.equal(status, 1);
    assert.match(stdout, /failed: a store that is told late what to read \(store\.test\.js\)/);
    assert.match(stdout, /to blame: store\.js:11/);
    assert.match(stdout, /missing\.txt/);
  });

  it("times a command as a whole", () => {
    const args = ["verify", ...FEW, "--out", join(project(), "o"), "--", "npm", "test"];
    const { status, stdout } = headstart(project(FILES), args);
    assert.equal(status, 0);
    assert.match(stdout, /Right: 1 of 1 test says the same/);
    assert.match(stdout, /^npm test +\d/m);
  });

  it("says how many rewrites are left out for not being sure, and how to include them", () => {
    const stored = STORE.slice(0, STORE.indexOf("export async function both"));
    const likelyOnly = { "package.json": MANIFEST, "store.js": stored };
    const { status, stdout } = headstart(project(likelyOnly), ["verify"]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^Nothing to verify: no rewrite here is safe\.\n1 rewrite is likely to be right.*"headstart verify --level likely" includes it\.$/m,
    );
    const out = join(project(), "o");
    const some = headstart(project(FILES), ["verify", ...FEW, "--out", out]);
    assert.match(some.stdout, /^note: 1 rewrite is likely .*--level likely/m);
  });

  it("leaves no folder behind where there is nothing to report", () => {
    const TMPDIR = join(project(), "tmp");
    mkdirSync(TMPDIR);
    const nothing = project({ "package.json": MANIFEST, "a.js": "export {};\n" });
    assert.equal(headstart(nothing, ["verify"], { TMPDIR }).status, 0);
    assert.deepEqual(readdirSync(TMPDIR), []);
    const failing = { ...FILES, "store.test.js": 'throw new Error("no");\n' };
    assert.equal(headstart(project(failing), ["verify", ...FEW], { TMPDIR }).status, 2);
    assert.deepEqual(readdirSync(TMPDIR), []);
    assert.equal(headstart(project(FILES), ["verify", "--runner", "jest"], { TMPDIR }).status, 2);
    assert.deepEqual(readdirSync(TMPDIR), []);
  });

  it("has nothing to do where nothing would be rewritten", () => {
    const { status, stdout } = headstart(
      project({ "package.json": MANIFEST, "a.js": "export {};\n" }),
      ["verify"],
    );
    assert.equal(status, 0);
    assert.match(stdout, /^Nothing to verify/);
  });

  const wrong: [string[], RegExp][] = [
    [["verify", "nowhere"], /nowhere/],
    [["verify", "--runs", "0"], /"0" is not a value of "--runs"; expected a whole number from 1/],
    [["verify", "--latency", "0,x"], /"x" is not a value of "--latency"/],
    [["verify", "--resume"], /name their folder with --out/],
    [["verify", "--runner", "jest"], /jest is not installed/],
    [["verify", "--import", "a.csv", "b.csv"], /a\.csv/],
  ];
  for (const [args, message] of wrong) {
    it(`says what is wrong with ${args.join(" ")}`, () => {
      const { status, stderr } = headstart(project(FILES), args);
      assert.equal(status, 2);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /bug/);
    });
  }

  it("judges timings that were taken elsewhere", () => {
    const times = (factor: number) =>
      Array.from({ length: 5 }, (_, run) => `t,${(factor * (10 + run)) / 1000},s,1,1\n`).join("");
    const cwd = project({ "original.csv": times(2), "reordered.csv": times(1) });
    const args = ["verify", "--import", "original.csv", "reordered.csv", "--out", "o"];
    const { status, stdout, stderr } = headstart(cwd, args);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /50\.0%/);
    assert.ok(existsSync(join(cwd, "o/report.html")));
  });
});

describe("verify that is stopped", () => {
  /** Tests that say when they run, and never end. */
  const endless = {
    ...FILES,
    "store.test.js": `${TESTS}
import { spawn } from "node:child_process";
test("endless", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { detached: true, stdio: "ignore" });
  console.log(child.pid);
  for (;;) await new Promise((r) => setTimeout(r, 100));
});`,
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`by ${signal} leaves neither files nor processes`, { timeout: 60_000 }, async () => {
      const { outcome, temporary } = await stopped(endless, signal);
      assert.equal(outcome.status, signal === "SIGINT" ? 130 : 143, outcome.stderr);
      assert.match(outcome.stdout, /Interrupted/);
      assert.deepEqual(
        readdirSync(temporary).filter((name) => name.includes("verify")),
        [],
      );
    });
  }

  it("by SIGKILL leaves no process", { timeout: 60_000 }, async () => {
    const { outcome } = await stopped(endless, "SIGKILL");
    assert.equal(outcome.signal, "SIGKILL");
  });
});

/** Stops the command in the midst of a test, and waits until all that it started has gone. */
async function stopped(
  files: Readonly<Record<string, string>>,
  signal: NodeJS.Signals,
): Promise<{ outcome: Outcome; temporary: string }> {
  const cwd = project(files);
  const temporary = join(project(), "tmp");
  mkdirSync(temporary);
  const during = (kill: (signal: NodeJS.Signals) => void): void => {
    const timer = setInterval(() => {
      // The runner, the file's process and what its test has started.
      if (running(temporary) < 3) return;
      clearInterval(timer);
      kill(signal);
    }, 50);
  };
  const args = ["verify", ...FEW, "--out", join(temporary, "out")];
  const outcome = await start(cwd, args, during, { TMPDIR: temporary });
  while (running(temporary) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  return { outcome, temporary };
}

/** How many processes work in a folder. */
function running(folder: string): number {
  const list = 'ls -l /proc/*/cwd 2>/dev/null | grep -cF "$0" || true';
  return Number(spawnSync("sh", ["-c", list, folder], { encoding: "utf8" }).stdout);
}
