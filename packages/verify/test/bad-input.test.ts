import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { makeCopy } from "../src/copies.js";
import { verify, VerifyError, type VerifyOptions } from "../src/index.js";
import { ORIGINAL, project, TOGETHER } from "./made.js";
import { folder, options, QUIET, site } from "./projects.js";

const GOOD = `test("both", async () => assert.deepEqual(await both(one, one), [1, 1]));\n`;

function run(made: string, after = TOGETHER, more: Partial<VerifyOptions> = {}) {
  const sites = [site(made, "both.js", ORIGINAL, after)];
  return verify(options(made, sites, { runs: 1, timeoutMs: 3000, ...more }), QUIET);
}

function fails(made: string, message: RegExp, more: Partial<VerifyOptions> = {}): Promise<void> {
  return assert.rejects(run(made, TOGETHER, more), (error) => {
    assert.ok(error instanceof VerifyError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

describe("a project that cannot be verified", () => {
  it("has no tests", () => fails(project(""), /runs no tests/));

  it("has tests that fail before the rewrite", () =>
    fails(project(`test("no", () => assert.fail("never did"));`), /no test passes .*never did/s));

  it("has a test that hangs before the rewrite", () =>
    fails(
      project(
        `test("slow", async () => { for (;;) await new Promise((r) => setTimeout(r, 50)); });`,
      ),
      /hang in "both.test.js > slow" before anything is rewritten.*--timeout/,
    ));

  it("has a test that ends its process, and says how", () =>
    fails(
      project(`test("end", async () => { process.kill(process.pid, "SIGKILL"); });\n`),
      /0 came to an end; the last one to begin is ".*end"\); the first says:\nits process ended with SIGKILL$/,
    ));

  it("has a file that cannot be loaded, and says where in the project", async () => {
    const made = project("this is no code\n");
    const escaped = made.replaceAll(/[\\.]/g, "\\$&");
    await fails(made, new RegExp(`ended with exit code \\d+\n.*${escaped}/`, "s"));
  });

  it("is to keep its measurements where no folder can be", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const message = /^no measurements can be kept in .*; choose another folder with --out$/;
    await fails(project(GOOD), message, { out: join(file, "out") });
    // Node's own way to make a folder with its parents would not come back from there.
    if (process.platform === "linux") await fails(project(GOOD), message, { out: "/proc/out" });
  });

  it("has no runner that is known", () => {
    const made = project(GOOD);
    writeFileSync(join(made, "package.json"), '{"scripts":{"test":"tap test"}}');
    return fails(made, /names no runner that is known.*"tap test".*-- npm test/);
  });

  it("has a runner of an unknown version", () => {
    const made = project(GOOD);
    writeFileSync(join(made, "package.json"), '{"scripts":{"test":"jest"}}');
    mkdirSync(join(made, "node_modules/jest"), { recursive: true });
    writeFileSync(join(made, "node_modules/jest/package.json"), '{"version":"99.0.0"}');
    return fails(made, /jest 99\.0\.0 is not known.*-- npm test/);
  });

  it("has a runner that is not installed", () => {
    const made = project(GOOD);
    writeFileSync(join(made, "package.json"), '{"scripts":{"test":"jest"}}');
    return fails(made, /jest is not installed/);
  });

  it("has no package.json", () => {
    const made = project(GOOD);
    const sites = [site(made, "both.js", ORIGINAL, TOGETHER)];
    return assert.rejects(verify(options(folder(), sites), QUIET), /package\.json is missing/);
  });

  it("has no test in the files that are asked for", () =>
    fails(project(GOOD), /no file matches --only "e2e\/\*\*"/, { only: "e2e/**" }));

  it("has no room for its copies", async () => {
    const made = project(GOOD);
    const listing = { entries: [], bytes: Number.MAX_SAFE_INTEGER, fingerprint: "" };
    const source = { root: made, project: made, without: [] };
    await assert.rejects(
      makeCopy("original", source, listing, join(folder(), "copy")),
      /there is no room for a copy of the project.*TMPDIR/,
    );
  });

  it("has no room for its copies, and says what they take beside what is kept free", async () => {
    const made = project(GOOD);
    const listing = { entries: [], bytes: 24_000, fingerprint: "" };
    const source = { root: made, project: made, without: [] };
    const target = join(folder(), "copy");
    await assert.rejects(
      makeCopy("original", source, listing, target, () => Promise.resolve(5_000_000)),
      /where 5 MB are free: the copy takes 24 kB, and 68 MB are kept for what its tests write;/,
    );
  });

  it("has tests that are all skipped", () =>
    fails(project(`test("no", { skip: true }, () => undefined);`), /all 1 tests? .*skipped/));

  it("leaves no journal behind that would stand in the way of the next attempt", async () => {
    const out = join(folder(), "out");
    await fails(project(""), /runs no tests/, { out });
    assert.equal(existsSync(out), false);
    await fails(project(""), /runs no tests/, { out });
  });
});

describe("a rewrite that breaks a test", () => {
  const broken = async (made: string, after: string) => {
    const { outcome, broken: tests } = await run(made, after);
    assert.equal(outcome, "broken");
    return tests.map(({ name, how }) => ({ name, how }));
  };

  it("makes it hang", async () => {
    const after =
      "const x = await a();\n  const y = await new Promise((r) => setInterval(() => 0, 1000));";
    assert.deepEqual(await broken(project(GOOD), after), [{ name: "both", how: "hung" }]);
  });

  it("ends its process", async () => {
    const after = "const [x, y] = await Promise.all([a(), process.exit(3)]);";
    const [test] = await broken(project(GOOD), after);
    assert.equal(test?.how, "crashed");
  });

  it("leaves a rejection that nobody meets", async () => {
    const test = `test("fails", async () => {
      const bad = async () => { throw new Error("bad"); };
      await assert.rejects(both(bad, bad), /bad/);
      await new Promise((r) => setTimeout(r, 20));
    });`;
    const after = "const later = b();\n  const x = await a();\n  const y = await later;";
    const [found] = await broken(project(test), after);
    assert.equal(found?.name, "fails");
  });

  it("and says so in the lines of the user", async () => {
    const made = project(GOOD);
    const after = 'const x = await a();\n\n\n\n  if (x) throw new Error("here");\n  const y = 2;';
    const { broken: tests } = await run(made, after);
    // Four lines more stand in front of it than before; the site begins in line 2.
    assert.ok(tests[0]?.message.includes(`${join(made, "both.js")}:2`), tests[0]?.message);
  });
});

describe("tests that are hard to measure", () => {
  it("that print megabytes are measured all the same", async () => {
    const noisy = `test("noisy", async () => { await both(one, one); for (let i = 0; i < 200; i++) console.log("x".repeat(100_000)); });`;
    const { outcome, tests } = await run(project(noisy));
    assert.equal(outcome, "verified");
    assert.deepEqual(
      tests.map(({ name }) => name),
      ["noisy"],
    );
  });

  it("that disagree with themselves are named, and left out", async () => {
    const flaky = `import { existsSync, rmSync, writeFileSync } from "node:fs";
      test("every other time", async () => {
        await both(one, one);
        if (existsSync("flag")) { rmSync("flag"); assert.fail("now"); }
        writeFileSync("flag", "");
      });\n`;
    const { outcome, flaky: named, tests } = await run(project(flaky + GOOD));
    assert.equal(outcome, "verified");
    assert.deepEqual(
      named.map(({ name, passed, failed }) => ({ name, passed, failed })),
      [{ name: "every other time", passed: 1, failed: 1 }],
    );
    assert.deepEqual(
      tests.map(({ name }) => name),
      ["both"],
    );
  });

  it("that fail behind the rewrite first, and before it later, are flaky", async () => {
    const runs = join(folder(), "runs");
    // Seven runs go before the timed one of the rewritten copy.
    const late = `import { appendFileSync, readFileSync } from "node:fs";
      test("late", async () => {
        await both(one, one);
        appendFileSync(${JSON.stringify(runs)}, ".");
        assert.ok(readFileSync(${JSON.stringify(runs)}).length < 8, "late");
      });\n`;
    const { outcome, flaky, tests } = await run(project(late + GOOD));
    assert.equal(outcome, "verified");
    assert.deepEqual(
      flaky.map(({ name, passed, failed }) => ({ name, passed, failed })),
      [{ name: "late", passed: 1, failed: 1 }],
    );
    assert.deepEqual(
      tests.map(({ name }) => name),
      ["both"],
    );
  });

  it("that fail before the rewrite are left out, and a note says so", async () => {
    const { outcome, notes, tests } = await run(
      project(`${GOOD}test("old", () => assert.fail("old"));`),
    );
    assert.equal(outcome, "verified");
    assert.ok(
      notes.some((note) => /1 test fail.* before the rewrite.*"old"/.test(note)),
      notes.join("\n"),
    );
    assert.equal(tests.length, 1);
  });

  it("that leave a process behind do not keep it", { timeout: 60_000 }, async () => {
    const pids = join(folder(), "pids");
    const test = `import { spawn } from "node:child_process"; import { appendFileSync } from "node:fs";
      test("spawns", async () => {
        await both(one, one);
        for (const detached of [true, false]) {
          const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { detached, stdio: "ignore" });
          child.unref();
          appendFileSync(${JSON.stringify(pids)}, child.pid + "\\n");
        }
      });\n`;
    const { outcome } = await run(project(test));
    assert.equal(outcome, "verified");
    const started = readFileSync(pids, "utf8").trim().split("\n").map(Number);
    // A process that was killed may take a moment to go.
    while (started.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it("as a command line, which is timed as a whole", async () => {
    const { outcome, tests, runner } = await run(project(GOOD), TOGETHER, {
      command: ["node", "both.test.js"],
    });
    assert.equal(outcome, "verified");
    assert.equal(runner, "node both.test.js");
    assert.deepEqual(
      tests.map(({ name, sites }) => ({ name, sites })),
      [{ name: "node both.test.js", sites: [1] }],
    );
  });

  it("as a command line that fails behind the rewrite", async () => {
    const after = "const x = await a();\n  const y = 2;";
    const { outcome, broken } = await run(project(GOOD), after, {
      command: ["node", "both.test.js"],
    });
    assert.equal(outcome, "broken");
    assert.match(broken[0]?.message ?? "", /exit code 1/);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended may still wait for its parent to ask.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
