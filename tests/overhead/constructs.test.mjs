// Each construct of the language, before and after: the functions in `constructs/`, in strict and in
// sloppy code, with all, some or none of what they await being promises.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

import { optimize } from "headstart";

import { load, observe, WAYS } from "./outcomes.mjs";

const FOLDER = new URL("constructs/", import.meta.url);

/** What is rejected on purpose is nobody's business but that of who awaits it. */
process.on("unhandledRejection", () => undefined);

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
