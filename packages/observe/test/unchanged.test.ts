import assert from "node:assert/strict";
import { test } from "node:test";

import { observed } from "./made.js";

const NODE = [process.execPath, "main.js"];

await test("requests are what they were", async () => {
  const { at, exitCode } = await observed(
    {
      "main.js": `import http from "node:http";
const server = http.createServer((request, response) => response.end(request.headers.authorization ?? "none"));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const text = await new Promise((resolve) => {
  http.get({ port, host: "127.0.0.1", path: "/a", headers: ["Host", "x", "Authorization", "told"] }, (answer) => {
    answer.setEncoding("utf8").on("data", resolve);
  });
});
if (text !== "told") process.exit(3);
for (const address of ["", "http://[bad", "//x"]) {
  try {
    await new Promise(() => http.get(address));
    process.exit(4);
  } catch (error) {
    if (error.code !== "ERR_INVALID_URL") process.exit(5);
  }
}
server.close();
server.closeAllConnections();
`,
    },
    NODE,
  );
  assert.equal(exitCode, 0);
  assert.ok(at(5).includes("1 http GET http://127.0.0.1:port/a"), at(5).join());
});

await test("a process that a signal ends has written what it has seen", async () => {
  const { at, exitCode } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
setTimeout(() => process.kill(process.pid, "SIGTERM"), 20);
await Promise.all([1, 2, 3].map(async (it) => { await fs.writeFile("a" + it, ""); }));
await new Promise(() => setTimeout(() => {}, 5000));
`,
    },
    NODE,
  );
  assert.equal(exitCode, 143);
  assert.deepEqual(
    at(3).filter((it) => it.includes("write")),
    ["1 fs write a1", "1 fs write a2", "1 fs write a3"].concat([
      "1 fs write a1",
      "1 fs write a2",
      "1 fs write a3",
    ]),
  );
});

await test("a program that handles a signal goes on", async () => {
  const { exitCode } = await observed(
    {
      "main.js": `process.on("SIGTERM", () => setTimeout(() => process.exit(7), 10));
setTimeout(() => process.kill(process.pid, "SIGTERM"), 20);
await new Promise((resolve) => setTimeout(resolve, 5000));
`,
    },
    NODE,
  );
  assert.equal(exitCode, 7);
});

await test("the awaits that have begun in a call are told", async () => {
  const { awaits } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
const leaf = async (name) => { await fs.access("package.json"); return name; };
const twice = async () => { await leaf("a"); setTimeout(() => leaf("late"), 30); await leaf("b"); };
const handed = (load) => Promise.all([1, 2].map(() => load()));
await twice();
await handed(async () => { await leaf("c"); });
await new Promise((resolve) => setTimeout(resolve, 60));
`,
    },
    NODE,
  );
  const lines = (line: number): number[] => {
    const found = awaits.find((it) => it.line === line);
    return (found?.inner ?? []).map((it) => awaits[it]?.line ?? 0).sort();
  };
  assert.deepEqual(lines(2), []);
  assert.deepEqual(lines(5), [2, 3, 3]);
  assert.deepEqual(lines(6), [2, 6]);
  assert.deepEqual(lines(7), []);
});

await test("arguments of the command are not written", async () => {
  const { text } = await observed({ "main.js": "await 1;\n" }, [
    ...NODE,
    ...[
      "--token",
      "S3CR3T",
      "-pS3CR3T",
      "redis://:S3CR3T@h",
      "S3CR3T@x.org",
      "--run-in-band",
      "test",
    ],
  ]);
  assert.ok(!text.includes("S3CR3T"), text);
  assert.match(text, /"main.js",\s*"--token"[^\]]*"--run-in-band",\s*":value"/);
});
