import assert from "node:assert/strict";
import { test } from "node:test";

import { Kins } from "../src/kin.js";
import type { Repeated } from "../src/runs.js";
import { SpanTable } from "../src/index.js";

function run(...steps: readonly (readonly [sort: number, times: number])[]): Repeated[] {
  return steps.map(([sort, times], row) => ({
    ...{ row, sort, times, sum: 1, longest: 1 },
    ...{ start: row, end: row + 1 },
  }));
}

await test("runs of the same steps are one group, below the same names only", () => {
  const kins = new Kins(new SpanTable());
  const kin = kins.of({ parent: "a", root: "b" });
  assert.equal(kins.of({ parent: "a", root: "b" }), kin);
  assert.notEqual(kins.of({ parent: "b", root: "a" }), kin);
  assert.equal(kins.find({ parent: "a", root: "" }), undefined);
  const group = kin.groupOf(run([1, 1], [2, 2]));
  assert.equal(kin.groupOf(run([1, 1], [2, 5])), group);
  for (const other of [
    run([1, 1], [2, 1]),
    run([2, 2], [1, 1]),
    run([1, 1], [2, 2], [3, 1]),
    run([1, 1]),
  ]) {
    assert.notEqual(kin.groupOf(other), group);
  }
  assert.equal(kins.groups[0], group);
  assert.equal(kins.groups.length, 5);
});

await test("runs whose hashes are the same are told apart", () => {
  const kin = new Kins(new SpanTable()).of({ parent: "", root: "" });
  const [one, other] = [run([5598, 1], [0, 1]), run([1, 1], [6709, 1])];
  const [first, second] = [kin.groupOf(one), kin.groupOf(other)];
  assert.notEqual(first, second);
  assert.deepEqual([kin.groupOf(one), kin.groupOf(other)], [first, second]);
});
