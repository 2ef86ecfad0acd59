import assert from "node:assert/strict";
import { it } from "node:test";
import { atomic, current, spawn, type Task } from "headstart-activities";

import { compiled, put } from "./ways.js";

const state = (globalThis as unknown as Record<symbol, { f: number }>)[
  Symbol.for("headstart.activities.1")
];

it("ends the task that a block outside of all tasks gets", async () => {
  let task: Task | undefined;
  await atomic(() => {
    task = current();
  });
  assert.equal(task?.state, "done");
  await task.join();
  task.cancel("late");
  assert.equal(state?.f, 0);
  const failing = atomic(() => {
    task = current();
    throw new Error("broken");
  });
  await assert.rejects(failing, /broken/);
  assert.equal(task.state, "failed");
  await assert.rejects(task.join(), /broken/);
});

it("takes a chain of joins as long as it is", async () => {
  const body = (before: Task | undefined) => async () => {
    await before?.join();
  };
  let last: Task | undefined;
  for (let left = 20_000; left > 0; left -= 1) last = spawn(body(last));
  await last?.join();
});

it("listens to a signal once, however many tasks it ends", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const { signal } = new AbortController();
  const tasks = Array.from({ length: 20 }, () => spawn(() => 1, { signal }));
  await Promise.all(tasks.map((task) => task.join()));
  await new Promise(setImmediate);
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
});

it("does not count a generator as under way that waits to be asked", async () => {
  const source = "export async function* gen() { yield 1; await null; yield 2; return 3, 4; }";
  const file = put(new URL(".made/programs/gen.mjs", import.meta.url), compiled(source));
  const { gen } = (await import(file.href)) as { gen: () => AsyncGenerator<number, number> };
  const iterator = gen();
  assert.equal((await atomic(() => iterator.next())).value, 1);
  assert.equal((await iterator.next()).value, 2);
  assert.equal((await iterator.next()).value, 4);
});
