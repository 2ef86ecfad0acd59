// The gate of atomic blocks changes nothing where no block is open: random functions and each construct of the language,
// with the same microtasks, before and after.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { scenarios, textOf } from "../overhead/differ.mjs";
import { generate } from "../overhead/generate.mjs";
import { load, observe as outcome, WAYS } from "../overhead/outcomes.mjs";
import { observe } from "../overhead/world.mjs";
import { compiled, loaded } from "./compile.mjs";

const COUNT = Number(process.env["DIFFER_COUNT"] ?? 300);
const SEED = Number(process.env["DIFFER_SEED"] ?? 1);
const CONSTRUCTS = ["../overhead/constructs/", "constructs/"].map(
  (it) => new URL(it, import.meta.url),
);
const require = createRequire(import.meta.url);

before(() => {
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", () => undefined);
});

/** What the compiler makes of a text, and of nothing else than for the gate. */
const gated = (text) => compiled(text, "directives");

describe("random functions", () => {
  it(`do the same behind the gate (${COUNT} functions from seed ${SEED})`, async () => {
    let changed = 0;
    let runs = 0;
    for (let seed = SEED; seed < SEED + COUNT; seed++) {
      const program = generate(seed);
      const text = textOf(program, false);
      const { code } = gated(text);
      changed += Number(code !== text);
      const [original, compiled] = [loaded(text), loaded(code)];
      for (const behaviours of scenarios(program.sites, seed)) {
        const options = { ticks: true, depth: 3 };
        const expected = await observe(original, behaviours, options);
        if (expected.isEndless) break;
        const actual = await observe(compiled, behaviours, options);
        runs += 2;
        const same = isDeepStrictEqual(actual, expected);
        const shown = same ? "" : JSON.stringify({ behaviours, expected, actual }, null, 1);
        assert.ok(same, `program ${seed}\n${text}\n${code}\n${shown}`);
      }
    }
    console.log(`${COUNT} functions, ${changed} compiled, ${runs} runs`);
    assert.ok(changed > COUNT / 2);
  });
});

describe("constructs", () => {
  const files = CONSTRUCTS.flatMap((it) => readdirSync(it).map((name) => new URL(name, it)));
  for (const file of files) {
    it(`do the same behind the gate: ${basename(file.pathname)}`, async () => {
      const whole = readFileSync(file, "utf8");
      const text = whole.replaceAll('"perhaps async";', "");
      const [original, compiled] = [load(text, require), load(gated(text).code, require)];
      for (const name of Object.keys(original)) {
        for (const way of Object.keys(WAYS)) {
          const expected = await outcome(original[name], way);
          assert.deepEqual(await outcome(compiled[name], way), expected, `${name}, ${way}`);
        }
      }
    });
  }
});
