import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { check } from "../../src/index.js";
import { project } from "../temp.js";
import { headstart, start } from "./command.js";

/** A race that is lost when two callers come, and nothing has come in between so far. */
const RACE = `import { setTimeout as sleep } from "node:timers/promises";

const accounts = {
  rows: new Map([[1, { balance: 100 }]]),
  async find(id) {
    await sleep(1);
    return this.rows.get(id);
  },
  async update(id, row) {
    await sleep(1);
    this.rows.set(id, row);
  },
};

export async function pay(id, amount) {
  const account = await accounts.find(id);
  await accounts.update(id, { balance: account.balance - amount });
}

for (let turn = 0; turn < 20; turn++) await pay(1, 1);
console.log(accounts.rows.get(1).balance);
`;

/** A read that need not wait for the one before it, twice: one of them takes long. */
const READS = `import { readFile } from "node:fs/promises";

export async function quick() {
  const first = await readFile("a.txt", "utf8");
  const second = await readFile("b.txt", "utf8");
  return first + second;
}

export async function slow() {
  const first = await readFile("c.txt", "utf8");
  const second = await readFile("d.txt", "utf8");
  return first + second;
}

await quick();
for (let turn = 0; turn < 30; turn++) await slow();
`;

function recorded(files: Record<string, string>, main: string): string {
  const folder = project({ "package.json": '{"type":"module"}', ...files });
  const args = ["trace", "record", "--sites", "all", "--", process.execPath, main];
  const { status, stderr } = headstart(folder, args);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /Recorded [\d,]+ events of 1 thread in headstart\.trace \([\d.]+\sk?B\)\./);
  return folder;
}

describe("trace", () => {
  it("records a command and reports where it waits", () => {
    const folder = recorded({ "race.js": RACE }, "race.js");
    const { status, stdout } = headstart(folder, ["trace", "report", "headstart.trace"]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^\S+ race\.js: .*, 1 thread, \d+ continuations \([\d,]+ with microtasks\)/,
    );
    assert.match(stdout, / {2}race\.js:16:\d+ +\S+ +20 /);
    assert.match(stdout, /\n {4}gap, uninterrupted +\d/);
    assert.match(stdout, /\nPotentially atomic subtrees, with microtasks:\n +limit +total +linear/);
    assert.match(stdout, /\nPage: headstart\.trace\.html\n$/);
    assert.match(readFileSync(join(folder, "headstart.trace.html"), "utf8"), /race\.js/);
  });

  it("prints all numbers as JSON", () => {
    const folder = recorded({ "race.js": RACE }, "race.js");
    const args = ["trace", "report", "headstart.trace", "--format", "json"];
    const report = JSON.parse(headstart(folder, args).stdout) as Record<string, unknown>;
    assert.equal(report["version"], 1);
    assert.ok(!existsSync(join(folder, "headstart.trace.html")));
  });

  it("names the races of the program that the trace has seen", () => {
    const folder = recorded({ "race.js": RACE }, "race.js");
    const args = ["trace", "report", "headstart.trace", "--project", "."];
    const { stdout } = headstart(folder, args);
    assert.match(stdout, /Races that the trace has seen.*\n {2}race\.js:17: what is written here/);
    assert.match(
      stdout,
      /\n {6}\d+ runs, half of them over within .*; something ran in between in .*, of another tree in 0%\n/,
    );
  });

  it("lets check say how long is really waited, the longest first", async () => {
    const folder = project({
      "package.json": '{"type":"module"}',
      "reads.js": READS,
      ...Object.fromEntries(["a", "b", "c", "d"].map((name) => [`${name}.txt`, name])),
    });
    headstart(folder, ["trace", "record", "--sites", "all", "--", process.execPath, "reads.js"]);
    const plain = await check({ cwd: folder });
    assert.deepEqual(
      plain.findings.map(({ range, observed }) => [range.start.line, observed]),
      [
        [5, undefined],
        [11, undefined],
      ],
    );
    const { findings } = await check({ cwd: folder, profile: "headstart.trace" });
    assert.deepEqual(
      findings.map(({ range }) => range.start.line),
      [11, 5],
    );
    assert.ok((findings[0]?.observed?.runs ?? 0) >= 60);
    const { stdout } = headstart(folder, [
      "check",
      "--profile",
      "headstart.trace",
      "--deny",
      "none",
    ]);
    assert.match(stdout, /note: the trace has \d+ runs that waited [\d.]+\sm?s in all/);
    const whole = readFileSync(join(folder, "headstart.trace"));
    writeFileSync(join(folder, "cut.trace"), whole.subarray(0, whole.length - 20));
    const flipped = Buffer.from(whole);
    const middle = whole.length >> 1;
    flipped.writeUInt8(whole.readUInt8(middle) ^ 1, middle);
    writeFileSync(join(folder, "flipped.trace"), flipped);
    const said = ["headstart", "cut", "flipped"].map((name) => {
      const args = ["check", "--profile", `${name}.trace`, "--deny", "none"];
      return headstart(folder, args).stderr.includes("is cut off or damaged");
    });
    assert.deepEqual(said, [false, true, true]);
  });

  it("exports what it has recorded", () => {
    const folder = recorded({ "race.js": RACE }, "race.js");
    const chrome = ["trace", "export", "headstart.trace", "--format", "chrome", "-o", "trace.json"];
    assert.equal(headstart(folder, chrome).status, 0);
    const { traceEvents } = JSON.parse(readFileSync(join(folder, "trace.json"), "utf8")) as {
      traceEvents: { ph: string; ts?: number; id?: number }[];
    };
    const of = (phase: string): typeof traceEvents => traceEvents.filter(({ ph }) => ph === phase);
    assert.equal(of("B").length, of("E").length);
    assert.ok(of("B").length > 100);
    // Every arrow that ends somewhere begins before that.
    for (const { id, ts = 0 } of of("f")) {
      const begin = of("s").find((it) => it.id === id);
      assert.ok(begin !== undefined && (begin.ts ?? 0) <= ts);
    }
    assert.equal(headstart(folder, ["trace", "export", "headstart.trace"]).status, 0);
    assert.ok(existsSync(join(folder, "headstart.trace.pftrace")));
  });

  it("hands on the exit code of the command, and ends with it on Ctrl-C", async () => {
    const folder = project({
      "fail.cjs": "process.exitCode = 7",
      "stay.cjs": "setInterval(() => {}, 5)",
    });
    const record = (file: string): string[] => ["trace", "record", "--", process.execPath, file];
    assert.equal(headstart(folder, record("fail.cjs")).status, 7);
    const outcome = await start(folder, record("stay.cjs"), (kill) => {
      void sleep(1500).then(() => {
        kill("SIGINT");
      });
    });
    assert.equal(outcome.status, 0);
    assert.match(outcome.stderr, /Recorded \d+ events/);
  });

  it("says what is wrong in a sentence", () => {
    const folder = project({ "notes.txt": "no trace" });
    const cases: readonly (readonly [string[], RegExp])[] = [
      [["trace"], /^error: trace needs ACTION \[FILES\], as in/],
      [["trace", "recrd"], /^error: unknown command "trace recrd"; did you mean "record"\?/],
      [["trace", "record"], /^error: trace record needs a command behind "--"/],
      [["trace", "report"], /^error: trace report needs a file/],
      [["trace", "report", "notes.txt"], /notes\.txt: this is no trace; "headstart trace record"/],
      [["trace", "report", "nothing.trace"], /nothing\.trace is not there; /],
      [
        ["trace", "export", "a", "--format", "json"],
        /^error: "json" is not a format of trace export/,
      ],
      [["trace", "record", "--out", "notes.txt", "--", "node"], /is there and is no trace/],
      [["trace", "record", "--", "no-such-program"], /cannot run "no-such-program"/],
      [["check", "--profile", "notes.txt"], /notes\.txt: this is no trace/],
      [["check", "--profile", "pipe"], /pipe is (no regular file|not there); /],
    ];
    if (process.platform !== "win32") execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const [args, message] of cases) {
      const { status, stderr } = headstart(folder, args);
      assert.equal(status, 2, args.join(" "));
      assert.match(stderr, message);
    }
    assert.equal(readFileSync(join(folder, "notes.txt"), "utf8"), "no trace");
    // A recording that fails leaves what was there before.
    writeFileSync(join(folder, "old.trace"), "HSTRACE1");
    headstart(folder, ["trace", "record", "-o", "old.trace", "--", "no-such-program"]);
    assert.equal(readFileSync(join(folder, "old.trace"), "utf8"), "HSTRACE1");
    headstart(folder, ["trace", "record", "-o", "new.trace", "--", "no-such-program"]);
    assert.ok(!existsSync(join(folder, "new.trace")));
    writeFileSync(join(folder, "empty.trace"), "");
    writeFileSync(join(folder, "a.trace.before"), "mine");
    const program = ["--", process.execPath, "-e", "setTimeout(() => {}, 5)"];
    for (let turn = 0; turn < 2; turn++) {
      assert.equal(headstart(folder, ["trace", "record", "-o", "a.trace", ...program]).status, 0);
    }
    assert.equal(readFileSync(join(folder, "a.trace.before"), "utf8"), "mine");
    // Nothing of another sort is written over, by whatever name.
    symlinkSync("a.trace", join(folder, "link.trace"));
    for (const out of ["notes.txt", "link.trace", "a.trace"]) {
      for (const action of [["export"], ["report"], ["report", "--format", "json"]]) {
        const { status, stderr } = headstart(folder, ["trace", ...action, "a.trace", "-o", out]);
        assert.equal(status, 2, `${action.join(" ")} ${out}`);
        assert.match(stderr, /is there and is something else/);
      }
    }
    assert.equal(
      headstart(folder, ["trace", "report", "link.trace", "--format", "json", "-o", "a.json"])
        .status,
      0,
    );
    assert.equal(
      (JSON.parse(readFileSync(join(folder, "a.json"), "utf8")) as { version: number }).version,
      1,
    );
    assert.match(headstart(folder, ["trace", "report", "empty.trace"]).stderr, /this is no trace/);
  });
});
