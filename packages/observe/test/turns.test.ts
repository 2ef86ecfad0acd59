import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Turns } from "../src/recorder/turns.js";

import { NODE, observed } from "./made.js";

/** Lets time pass, so that timers that timers set come to run, too. */
function pass(ms: number): void {
  for (let time = 0; time < ms; time += 10) mock.timers.tick(Math.min(10, ms - time));
}

await test("a share of the time is recorded, and what is under way is followed", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let cutOff = 0;
    const frames = { isOn: true };
    const journal = {
      isActive: true,
      cutOff: () => {
        cutOff++;
      },
    };
    const turns = new Turns(0.1, frames, journal);
    const state = (): unknown[] => [turns.isOpen, frames.isOn, cutOff];
    assert.deepEqual(state(), [true, true, 0]);
    pass(490);
    assert.deepEqual(state(), [true, true, 0]);
    pass(10);
    assert.deepEqual(state(), [false, true, 0], "what is under way is followed");
    pass(2000);
    journal.isActive = false;
    pass(20);
    assert.deepEqual(state(), [false, false, 1], "to its end");
    pass(4500);
    assert.deepEqual(state(), [true, true, 1], "and then new ones again");
    journal.isActive = true;
    pass(500 + 4980);
    assert.deepEqual(state(), [false, true, 1]);
    pass(40);
    assert.deepEqual(state(), [false, false, 2], "what does not end is cut off");
  } finally {
    mock.timers.reset();
  }
});

await test("all of the time needs no turns", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const frames = { isOn: true };
    const turns = new Turns(1, frames, { isActive: true, cutOff: () => undefined });
    pass(10_000);
    assert.deepEqual([turns.isOpen, frames.isOn], [true, true]);
  } finally {
    mock.timers.reset();
  }
});

await test("OpenTelemetry of the program is its own", async () => {
  const source = `import { context, createContextKey, trace } from "@opentelemetry/api"; import fs from "node:fs/promises";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
const isFirst = context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const key = createContextKey("own");
const seen = await context.with(context.active().setValue(key, 1), async () => { await fs.access("package.json"); return context.active().getValue(key); });
const outside = trace.getActiveSpan();
process.exitCode = isFirst && seen === 1 && outside === undefined ? 0 : 1;
`;
  const { at, exitCode } = await observed({ "main.js": source }, NODE);
  assert.equal(exitCode, 0);
  assert.deepEqual(at(5), ["1 fs read package.json", "1 fs read package.json"]);
});
