import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";

import { runtimeFile } from "../src/runtime.js";

/**
 * Starts operations under a schedule, each a program that says `done()` when its work has come to its end. Returns, for each,
 * whether something was made to take longer before that: a timer of the schedule was started, or one of the program's own is
 * longer than it says. All of that is counted as the timers are started, and not by the time that they take.
 */
function delayed(program: string): boolean[] {
  const script = `
    const timers = require("node:timers");
    let longer = 0;
    for (const name of ["setTimeout", "setInterval"]) {
      const before = timers[name];
      timers[name] = (action, ms, ...rest) => {
        if (ms !== 1) longer++;
        return before(action, ms, ...rest);
      };
    }
    const { createSchedule } = require(${JSON.stringify(runtimeFile("schedule.cjs"))});
    const schedule = createSchedule({ seed: 5 }, () => undefined);
    schedule.begin("a test");
    (async () => {
      const all = [];
      for (let op = 0; op < 40; op++) {
        let seen;
        const before = longer;
        const done = () => { seen = longer > before; };
        const token = schedule.at(1, op);
        await schedule.op(token, (${program})(done));
        all.push(seen);
      }
      console.log(JSON.stringify(all));
    })();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  assert.equal(stderr, "");
  return JSON.parse(stdout) as boolean[];
}

describe("a schedule delays", () => {
  for (const [what, program] of [
    ["timers", `(done) => new Promise((resolve) => setTimeout(() => { done(); resolve(); }, 1))`],
    [
      "repeated timers",
      `(done) => new Promise((resolve) => {
        const timer = setInterval(() => { clearInterval(timer); done(); resolve(); }, 1);
      })`,
    ],
    [
      "what is only started when it is awaited",
      `(done) => ({ then(...actions) {
        return new Promise((resolve) => setTimeout(() => { done(); resolve(); }, 1)).then(...actions);
      } })`,
    ],
    [
      "names that are looked up",
      `(done) => new Promise((resolve) => {
        require("node:dns").lookup("127.0.0.1", () => { done(); resolve(); });
      })`,
    ],
    [
      "names that are looked up for a promise",
      `(done) => require("node:dns").promises.lookup("127.0.0.1").then(done)`,
    ],
    [
      "what is compressed",
      `(done) => new Promise((resolve) => {
        require("node:zlib").gzip("a", () => { done(); resolve(); });
      })`,
    ],
    [
      "what is encrypted",
      `(done) => new Promise((resolve) => {
        require("node:crypto").scrypt("a", "b", 8, { N: 2 }, () => { done(); resolve(); });
      })`,
    ],
    ["files", `(done) => require("node:fs").promises.stat(".").then(done)`],
  ] as const) {
    it(what, () => {
      const all = delayed(program);
      assert.equal(all.length, 40);
      // About half of all operations are quick as a whole.
      const share = all.filter(Boolean).length / all.length;
      assert.ok(share > 0.1 && share < 0.7, String(share));
    });
  }

  it("nothing outside of an operation", () => {
    const all = delayed(`(done) => { done(); return 1; }`);
    assert.ok(all.every((it) => !it));
  });

  it("an operation alike, whatever ran before its test", () => {
    const script = (before: string): string => `
      const { createSchedule } = require(${JSON.stringify(runtimeFile("schedule.cjs"))});
      const schedule = createSchedule({ seed: 5, failing: { site: 1, op: 0, count: 0 } }, (it) => console.log(it.k));
      ${before}
      schedule.begin("b");
      schedule.op(schedule.at(1, 0), undefined).catch(({ message }) => console.log(message));`;
    const run = (before: string): string =>
      spawnSync(process.execPath, ["-e", script(before)], { encoding: "utf8" }).stdout;
    const alone = run("");
    assert.match(alone, /^failing\nheadstart verify made this operation fail/);
    // In each test, it is the first one that fails.
    const other = `schedule.begin("a"); schedule.op(schedule.at(1, 0), undefined).catch(() => undefined);`;
    assert.equal(run(other), `failing\n${alone}`);
  });
});
