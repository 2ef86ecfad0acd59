import assert from "node:assert/strict";
import { test } from "node:test";

import { Fields } from "../src/wire.js";

/** A message with one value of 64 bits in field 47. */
function message(value: bigint): Uint8Array {
  const bytes = new Uint8Array(11);
  // The tag: field 47, of 64 bits.
  bytes.set([0xf9, 0x02]);
  new DataView(bytes.buffer).setBigUint64(2, value, true);
  return bytes.subarray(0, 10);
}

function idOf(value: bigint): number {
  const fields = new Fields(message(value));
  assert.ok(fields.next());
  assert.equal(fields.field, 47);
  const ids: number[] = [];
  fields.ids((id) => ids.push(id));
  assert.equal(ids.length, 1);
  return ids[0] ?? 0;
}

await test("both halves of a number of an arrow count", () => {
  const ids = new Set<number>();
  let count = 0;
  // As Chromium has them: a running number in front of an address.
  for (let high = 0n; high < 300n; high++) {
    for (let low = 0n; low < 300n; low++) {
      count++;
      ids.add(idOf((high << 47n) | (0x7ade00000000n + low * 16n)));
    }
  }
  assert.equal(ids.size, count);
  for (const id of ids) assert.ok(Number.isSafeInteger(id) && id >= 0 && id < 2 ** 49);
});
