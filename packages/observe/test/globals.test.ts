import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { observationsOf } from "../src/evidence.js";
import { withoutPorts } from "../src/servers.js";
import { NODE, observed } from "./made.js";

/** What programs put in the place of what the language has. */
const CHANGES = [
  'JSON.stringify = () => "{}"',
  "Object.prototype.toJSON = () => 1",
  "Map.prototype.get = () => 3",
  'Map.prototype.set = () => { throw new Error("set"); }',
  "globalThis.Map = class {}",
  "Set.prototype.add = () => undefined",
  'Reflect.apply = () => { throw new Error("apply"); }',
];

for (const change of CHANGES) {
  await test(`a program that changes the language: ${change}`, async () => {
    const { at, exitCode, damaged } = await observed(
      {
        "main.js": `import fs from "node:fs/promises";
const load = async () => { await null; return await fs.readFile("main.js"); };
${change};
await load();
process.exitCode = 3;
`,
      },
      NODE,
    );
    assert.equal(exitCode, 3);
    assert.equal(damaged, 0);
    assert.deepEqual(at(4), ["1 fs read main.js"]);
  });
}

await test("a program of which nothing can be recorded does what it does", async () => {
  const { exitCode } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
String.prototype.split = () => { throw new Error("split"); };
Object.entries = Object.keys = Array.prototype.map = () => { throw new Error("none"); };
await (async () => { await fs.readFile("main.js"); })();
process.exitCode = 3;
`,
    },
    NODE,
  );
  assert.equal(exitCode, 3);
});

await test("what is no recording is counted, and what it stands beside is read", () => {
  const within = { start: 0, length: 1, offset: 0, sum: 0, hash: "" };
  const place = { file: "a.js", line: 1, column: 1, within };
  const line = '{"id":0,"calls":1,"ms":1,"longest":1,"operations":{"fs read a":1},"inner":[]}';
  for (const odd of ["{}", "null", "1", '{"id":0}', "{", line.slice(0, -3)]) {
    const { seen, damaged } = observationsOf(`${line}\n${odd}\n`, [place]);
    assert.equal(damaged, 1, odd);
    assert.equal(seen[0]?.calls, 1, odd);
  }
});

/** How many wait for the end of a program, as it finds that. */
const LISTENERS =
  '["exit", "SIGHUP", "SIGINT", "SIGTERM"].map((it) => process.listenerCount(it)).join()';
const asModule = ["--input-type=module", "-e", `console.log(${LISTENERS})`];
const listeners = execFileSync(process.execPath, asModule, { encoding: "utf8" }).trim();

await test("a program finds no listeners, and is asked for what it awaits as often as by itself", async () => {
  const { exitCode, at } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
if (${LISTENERS} !== "${listeners}") process.exit(4);
let asked = 0;
const lazy = { get then() { asked++; return (done) => fs.readFile("main.js").then(() => done(7)); } };
if ((await lazy) !== 7 || asked !== 1) process.exit(5);
Object.defineProperty(String.prototype, "then", { get() { process.exit(6); } });
if ((await "a") !== "a") process.exit(7);
process.on("SIGTERM", () => process.exit(8));
process.emit("SIGTERM");
`,
    },
    NODE,
  );
  assert.equal(exitCode, 8);
  assert.deepEqual(at(5), ["1 fs read main.js"]);
});

await test("what a link leads to is not touched by making it", async () => {
  const { at, text } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
await fs.symlink("SECRETTARGET", "link");
`,
    },
    NODE,
  );
  assert.deepEqual(at(2), ["1 fs write link"]);
  assert.ok(!text.includes("SECRETTARGET"));
});

await test("ports of this machine that only pass are not told apart", () => {
  const ports = ["localhost:34727", "127.0.0.1:34727", "[::1]:34727", "::1:34727", "a::1:34727"];
  assert.deepEqual(
    withoutPorts(ports.map((it) => ({ what: `connect ${it}`, times: 1 }))).map(({ what }) => what),
    ["localhost:port", "127.0.0.1:port", "[::1]:port", "::1:port", "a::1:34727"].map(
      (it) => `connect ${it}`,
    ),
  );
});
