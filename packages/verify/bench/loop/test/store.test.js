// Tests of some ms to some 100 ms that run through a place again and again.
import assert from "node:assert/strict";
import path from "node:path";
import { it } from "node:test";

import { readState, sizes } from "../src/store.js";

const dir = path.join(import.meta.dirname, "..", "data");

it("reads once", async () => {
  assert.equal((await readState(dir)).head, "main\n");
});

for (const times of [20, 200, 1000]) {
  it(`reads ${times} times`, async () => {
    for (let time = 0; time < times; time++) await readState(dir);
  });

  it(`asks for sizes ${times} times`, async () => {
    for (let time = 0; time < times; time++) await sizes(dir);
  });
}
