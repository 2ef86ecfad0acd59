/** Runs in a page: each row in the forms that `chromium.test.ts` makes, and random tasks. */
import * as activities from "headstart-activities";

// @ts-expect-error -- made by the test
import { rows as compiled } from "./.made/chromium-compiled/semantics.mjs";
// @ts-expect-error -- made by the test
import { rows as generators } from "./.made/chromium-generators/semantics.mjs";
// @ts-expect-error -- made by the test
import { run } from "./.made/chromium-compiled/property.mjs";
// @ts-expect-error -- made by the test
import { native } from "./.made/chromium-compiled/native.mjs";
import { inside } from "./inside.js";
import { outcomeOf, type Row } from "./run-rows.js";

const page = globalThis as unknown as Record<string, unknown>;
page["setImmediate"] = (then: () => void) => setTimeout(then, 0);

async function outcomes(rows: Record<string, Row>) {
  const all = [];
  for (const [title, row] of Object.entries(rows)) {
    all.push({ title, ...(await outcomeOf(row, activities)) });
  }
  return all;
}

page["semantics"] = async () => ({
  compiled: await outcomes(compiled as Record<string, Row>),
  generators: await outcomes(generators as Record<string, Row>),
});
const root = activities.current();
page["random"] = (steps: number) =>
  (run as (means: object, seed: number, steps: number) => unknown)(
    { ...activities, ...inside, native: native as unknown, outside: () => root },
    1,
    steps,
  );
