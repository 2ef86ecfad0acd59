import assert from "node:assert/strict";
import { test } from "node:test";

import { IdTable } from "../src/id-table.js";

await test("ids are found at any size, also those that differ in their high bits only", () => {
  const table = new IdTable();
  const known = new Map<number, number>();
  for (let at = 0; at < 30_000; at++) {
    // Two thousand ids for each of these low halves, which are all that their slots depend on.
    const id = (1 + Math.floor(at / 15)) * 2 ** 32 + (at % 15);
    table.set(id, at);
    known.set(id, at);
    table.set(at + 1, 7 * at);
    known.set(at + 1, 7 * at);
  }
  for (const [id, number] of known) assert.equal(table.get(id), number);
  for (const id of [0, 30_001, 2 ** 32 + 15, 2 ** 53]) assert.equal(table.get(id), -1);
});

await test("an id that is set again has its last number, and no other slot", () => {
  const table = new IdTable();
  for (let number = 0; number < 100_000; number++) table.set(5, number);
  assert.equal(table.get(5), 99_999);
  assert.equal(table.get(6), -1);
});
