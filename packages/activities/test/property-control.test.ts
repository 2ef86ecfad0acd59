import assert from "node:assert/strict";
import { it } from "node:test";
import { useAsyncLocalStorage } from "headstart-activities/node";

import { randomTasks, same } from "./property.js";

useAsyncLocalStorage();

it("sees what happens without a gate: the control", async () => {
  const { steps, violations } = await randomTasks({
    name: "control",
    made: same,
    isNative: true,
    outside: (task) => task,
    instead: { atomic: async (body: () => unknown) => await body() },
  });
  console.log(`# control: ${String(violations)} violations in ${String(steps)} steps`);
  assert.ok(violations > steps / 100, String(violations));
});
