import assert from "node:assert/strict";
import { hasSubscribers } from "node:diagnostics_channel";
import { test } from "node:test";

import { watchFetch } from "../src/recorder/fetch.js";
import { Frames } from "../src/recorder/frames.js";

import { NODE, observed } from "./made.js";

await test("clients that are at hand are loaded when the program asks for them, and that is no part of an await", async () => {
  const { at, exitCode } = await observed(
    {
      "main.js": `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const loaded = () => Object.keys(require.cache).filter((it) => /node_modules.(pg|mysql2|(io)?redis|@redis|mongodb)\\b/.test(it));
if (loaded().length > 0) process.exit(3);
await import("redis");
await (async () => require("ioredis"))();
await (async () => require("mysql2/promise"))();
if (loaded().length < 99) process.exit(4);
`,
    },
    NODE,
  );
  assert.equal(exitCode, 0);
  // What Node itself reads to find out what names there are to import is one.
  assert.deepEqual(
    at(5).filter(
      (it) => !/^\d+ fs read (\(outside\)|node_modules\/redis\/dist\/index\.js)$/.test(it),
    ),
    [],
  );
  for (const line of [6, 7]) assert.deepEqual(at(line), [], `line ${line}`);
});

await test("a client that cannot be loaded fails as it does by itself", async () => {
  const { exitCode } = await observed(
    {
      "in/node_modules/pg/package.json": '{"main":"index.js"}',
      "in/node_modules/pg/index.js": 'throw new Error("broken");',
      "in/main.js": `for (const load of [() => import("pg"), async () => process.getBuiltinModule("module").createRequire(import.meta.url)("pg")]) {
  try {
    await load();
    process.exit(3);
  } catch (error) {
    if (error.message !== "broken") process.exit(4);
  }
}
`,
    },
    [process.execPath, "in/main.js"],
  );
  assert.equal(exitCode, 0);
});

await test("requests are told of while awaits are told apart only", () => {
  const isFollowed = (): boolean => hasSubscribers("undici:request:create");
  const frames = new Frames();
  try {
    watchFetch(frames, () => undefined);
    assert.ok(isFollowed());
    for (const isOn of [false, false, true, true, false]) {
      frames.isOn = isOn;
      assert.equal(isFollowed(), isOn);
    }
  } finally {
    frames.isOn = false;
  }
});
