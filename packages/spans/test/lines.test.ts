import assert from "node:assert/strict";
import { test } from "node:test";

import { Lines } from "../src/lines.js";

/** The lines of bytes that come so many at once. */
function linesOf(bytes: Buffer, atOnce: number, longest?: number): (string | undefined)[] {
  const lines = new Lines(longest);
  const found: (string | undefined)[] = [];
  for (let at = 0; at < bytes.length; at += atOnce) {
    found.push(...lines.of(bytes.subarray(at, at + atOnce)));
  }
  return [...found, ...lines.rest()];
}

await test("lines are the same wherever chunks end, within a character, too", () => {
  for (const text of ["a\nbé€😀\n\n😀\r\nend€", "é\n", "\n\n€", "", "no end"]) {
    const expected = text.split("\n");
    if (expected.at(-1) === "") expected.pop();
    const bytes = Buffer.from(text);
    for (let atOnce = 1; atOnce <= bytes.length + 1; atOnce++) {
      assert.deepEqual(linesOf(bytes, atOnce), expected);
    }
  }
});

await test("a character that is cut off spoils no other line", () => {
  const bytes = Buffer.concat([Buffer.from("a€").subarray(0, 3), Buffer.from("\nb\nc")]);
  for (let atOnce = 1; atOnce <= bytes.length; atOnce++) {
    assert.deepEqual(linesOf(bytes, atOnce), ["a\ufffd", "b", "c"]);
  }
});

await test("a line that no text can hold is passed over", () => {
  const bytes = Buffer.from(`ab\n${"x".repeat(50)}\ncd\n${"y".repeat(50)}`);
  for (let atOnce = 1; atOnce <= 10; atOnce++) {
    assert.deepEqual(linesOf(bytes, atOnce, 10), ["ab", undefined, "cd", undefined]);
  }
});
