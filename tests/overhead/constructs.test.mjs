// Each construct of the language, before and after: the functions in `constructs/`, in strict and in
// sloppy code, with all, some or none of what they await being promises.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { optimize } from "headstart";

const FOLDER = new URL("constructs/", import.meta.url);
const STEPS = 300;

/** What is rejected on purpose is nobody's business but that of who awaits it. */
process.on("unhandledRejection", () => undefined);

/** Whether the value that is waited for at a step is a promise. */
const WAYS = {
  "no promise": () => false,
  "promises only": () => true,
  "the third a promise": (step) => step === 3,
  "every other a promise": (step) => step % 2 === 0,
  "thenables only": () => "thenable",
};

function show(value) {
  return JSON.stringify(value, (_, it) => {
    if (typeof it === "function") return "function";
    if (typeof it === "bigint" || it === undefined) return String(it);
    return it instanceof Error ? `${it.name}: ${it.message}` : it;
  });
}

/** All that can be seen of a case: what it waits for, in order, and how it ends. */
async function observe({ args, make }, way) {
  const log = [];
  const W = (...values) => {
    if (log.length === STEPS) throw new RangeError("too many steps");
    log.push(show(values));
    const [value] = values;
    const pending = WAYS[way](log.length);
    if (pending === "thenable") return { then: (resolve) => resolve(value) };
    return pending ? Promise.resolve(value) : value;
  };
  try {
    log.push(`returned ${show(await make(W).call({ k: 5 }, ...args()))}`);
  } catch (error) {
    log.push(`rejected ${show(error)}`);
  }
  return log;
}

function load(text) {
  const module = { exports: {} };
  new Function("module", text)(module);
  return module.exports;
}

let converted = 0;
let kept = 0;

for (const file of readdirSync(FOLDER)) {
  const text = readFileSync(new URL(file, FOLDER), "utf8");
  const variants = { sloppy: text, strict: `"use strict";\n${text}` };
  if (["arguments.cjs", "sloppy.cjs"].includes(file)) delete variants.strict;
  const kinds = Object.entries(variants).flatMap(([variant, before]) =>
    ["relaxed", "exact"].map((ticks) => [variant, before, ticks]),
  );
  for (const [variant, before, ticks] of kinds) {
    describe(`${file}, ${variant}, ${ticks} ticks`, () => {
      const { code, functions } = optimize(before, { file, ticks });
      const [original, optimized] = [load(before), load(code)];
      for (const { outcome } of functions) {
        if (outcome.kind === "converted") converted += 1;
        else kept += 1;
      }
      it("what they become parses", () => {
        assert.deepEqual(
          functions.filter((it) => it.mistake),
          [],
        );
      });
      for (const name of Object.keys(original)) {
        it(name, async () => {
          for (const way of Object.keys(WAYS)) {
            const expected = await observe(original[name], way);
            assert.deepEqual(await observe(optimized[name], way), expected, way);
          }
        });
      }
    });
  }
}

it("nearly all of them are converted", () => {
  // The rest is of the kinds that docs/optimize.md says stay as they are.
  assert.ok(converted > 4 * kept, `${converted} converted, ${kept} kept`);
});
