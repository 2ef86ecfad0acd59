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
