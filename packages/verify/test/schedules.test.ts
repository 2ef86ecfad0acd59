import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { verify, type VerifyOptions } from "../src/index.js";
import { withSteps } from "../src/steps.js";
import { renderTable } from "../src/table.js";
import { options, QUIET } from "./projects.js";
import { made, type Program } from "./schedules/programs.js";
import { RIGHT } from "./schedules/right.js";
import { WRONG } from "./schedules/wrong.js";

function program(programs: readonly Program[], name: string): Program {
  const found = programs.find((it) => it.name === name);
  assert.ok(found, name);
  return found;
}

function run(found: Program, more: Partial<VerifyOptions>) {
  const { project, sites } = made(found);
  return verify(options(project, sites, { runs: 1, ...more }), QUIET);
}

describe("schedules", () => {
  for (const name of ["a file is read that is just being written", "the last write wins"]) {
    it(`refute a wrong rewrite that its tests let pass: ${name}`, async () => {
      const found = program(WRONG, name);
      const plain = await run(found, {});
      assert.equal(plain.outcome, "verified");
      assert.equal(plain.schedules, undefined);

      const seeds = Array.from({ length: 50 }, (_, index) => index + 1);
      const result = await run(found, { seeds, bisect: true });
      assert.equal(result.outcome, "broken");
      const [broken] = result.broken;
      assert.ok(broken?.seed !== undefined && broken.seed <= 50);
      assert.equal(broken.blamed, 1);
      const text = renderTable(result, 80);
      assert.match(text, /^Wrong: /);
      assert.match(text, new RegExp(`with --seed ${broken.seed} shows it again`));

      // The same seed shows it again, if not always: it decides how long operations are delayed, not how long they take.
      let shown: number | undefined;
      for (let tries = 0; tries < 5 && shown === undefined; tries++) {
        const again = await run(found, { seeds: [broken.seed] });
        shown = again.broken[0]?.seed;
      }
      assert.equal(shown, broken.seed);
    });
  }

  it("say of a right rewrite under how many it is right", async () => {
    const result = await run(program(RIGHT, "two files are read"), {
      seeds: [1, 2, 3, 4],
      fail: true,
    });
    assert.equal(result.outcome, "verified");
    assert.deepEqual(result.schedules, { run: 4, failing: true, tests: 1, unsteady: 0 });
    assert.match(
      renderTable(result, 80),
      /^Right: 1 of 1 test says the same .*; so does 1 test under 4 schedules of delays and failures\./,
    );
  });

  it("say nothing where an error keeps from starting what is made to fail", async () => {
    const found: Program = {
      name: "a missing user is told",
      source: `import { setTimeout as sleep } from "node:timers/promises";
export class NotFound extends Error {}
const user = async () => { await sleep(2); throw new NotFound(); };
const orders = async () => { await sleep(3); return []; };
export async function both() {
  const a = await user();
  const b = await orders();
  return [a, b];
}`,
      before: "const a = await user();\n  const b = await orders();",
      after: "const [a, b] = await Promise.all([user(), orders()]);",
      test: "await assert.rejects(program.both(), program.NotFound);",
    };
    const seeds = Array.from({ length: 24 }, (_, index) => index + 1);
    const result = await run(found, { seeds, fail: true });
    assert.equal(result.outcome, "verified", result.broken[0]?.message);
    assert.equal(result.schedules?.run, 24);
    assert.equal(result.schedules.tests, 1);
  });

  it("leave out a test that does not pass under all of them before the rewrite", async () => {
    const found = program(RIGHT, "two files are read");
    const test = `${found.test} assert.ok(!process.env.HEADSTART_VERIFY.includes('"mode":"schedule"'));`;
    const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
    const result = await run({ ...found, test }, { seeds });
    assert.equal(result.outcome, "verified");
    assert.equal(result.schedules?.unsteady, 1);
    assert.match(
      result.notes.join("\n"),
      /1 test fails under the one schedule before the rewrite, too, and is left out/,
    );
  });
});

describe("calls around what is awaited", () => {
  for (const [text, expected] of [
    ["await f();", "await __headstartStep((f()));"],
    ["await (a, b);", "await (__headstartStep((a, b)));"],
    ["await await x", "await __headstartStep((await __headstartStep((x))))"],
    ["[await a, await b]", "[await __headstartStep((a)), await __headstartStep((b))]"],
    ["await f(await g())", "await __headstartStep((f(await __headstartStep((g())))))"],
    [
      "async function* f() { await (yield 1); }",
      "async function* f() { await (__headstartStep((yield 1))); }",
    ],
  ] as const) {
    it(`keeps what ${text} means`, () => {
      const result = withSteps("a.mjs", text);
      const [first, helper] = result.split("\n");
      assert.equal(first, expected);
      assert.match(helper ?? "", /^function __headstartStep/);
    });
  }

  it("keeps lines, types and files without any", () => {
    const text = "export const a: number = await f<number>(\n  1,\n);\n";
    const result = withSteps("a.ts", text);
    assert.equal(result.split("\n").length, text.split("\n").length + 2);
    assert.match(result, /function __headstartStep<T>\(value: T\): T/);
    assert.equal(withSteps("b.js", "f();"), "f();");
  });
});
