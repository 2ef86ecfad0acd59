import assert from "node:assert/strict";
import { it } from "node:test";

import { Interrupts } from "../src/interrupts.js";

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  it(`${signal} asks to stop, and coming twice in a moment it does no more`, () => {
    const interrupts = new Interrupts();
    let wished = false;
    interrupts.lastWish = () => {
      wished = true;
    };
    assert.equal(interrupts.happened(), false);
    process.emit(signal, signal);
    process.emit(signal, signal);
    interrupts.dispose();
    assert.equal(interrupts.happened(), true);
    assert.equal(interrupts.signal.aborted, true);
    assert.equal(interrupts.exitCode, code);
    assert.equal(wished, false);
  });
}

it("ends the process when what is under way does not come to its end", async () => {
  const codes: number[] = [];
  const interrupts = new Interrupts((code) => codes.push(code));
  interrupts.graceMs = 1;
  let wished = false;
  interrupts.lastWish = () => {
    wished = true;
  };
  process.emit("SIGTERM", "SIGTERM");
  assert.deepEqual(codes, []);
  while (codes.length === 0) await new Promise((done) => setTimeout(done, 1));
  assert.deepEqual(codes, [143]);
  assert.equal(wished, true);
});

it("does not end a process that has come to its end by itself", async () => {
  const codes: number[] = [];
  const interrupts = new Interrupts((code) => codes.push(code));
  interrupts.graceMs = 1;
  process.emit("SIGINT", "SIGINT");
  interrupts.dispose();
  await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(codes, []);
});
