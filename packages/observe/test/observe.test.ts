import assert from "node:assert/strict";
import { test } from "node:test";

import { observed } from "./made.js";

const NODE = [process.execPath, "main.js"];

await test("files, processes and requests are at their awaits, and at those that wait for these", async () => {
  const { at, exitCode, awaits } = await observed(
    {
      "main.js": `import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { readFile } from "node:fs";
import http from "node:http";
import { promisify } from "node:util";
const server = http.createServer((_, response) => setTimeout(() => response.end("ok"), 5));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const base = "http://127.0.0.1:" + server.address().port;
async function load(name) {
  const text = await fs.readFile(name + ".txt", "utf8");
  await fs.writeFile(name + ".out", text);
}
await fs.writeFile("a.txt", "a");
await load("a");
const response = await fetch(base + "/users/12345?token=SECRET");
await response.text();
await new Promise((resolve) => http.get(base + "/plain", (it) => it.resume().on("end", resolve)));
await promisify(execFile)(process.execPath, ["-e", "0"]);
await promisify(readFile)("a.out");
server.close();
server.closeAllConnections();
`,
    },
    NODE,
  );
  assert.equal(exitCode, 0);
  assert.deepEqual(at(10), ["1 fs read a.txt"]);
  assert.deepEqual(at(11), ["1 fs write a.out"]);
  assert.deepEqual(at(14), ["1 fs read a.txt", "1 fs write a.out"]);
  assert.deepEqual(
    at(15).filter((it) => it.includes("http")),
    [`1 http GET http://127.0.0.1:port/users/:value`],
  );
  assert.deepEqual(
    at(17).filter((it) => it.includes("http")),
    [`1 http GET http://127.0.0.1:port/plain`],
  );
  assert.deepEqual(at(18), ["1 process node"]);
  assert.deepEqual(at(19), ["1 fs read a.out"]);
  assert.ok(awaits.every(({ calls, ms }) => calls === 1 && ms >= 0));
});

await test("requests that are under way at once keep their own", async () => {
  const count = 40;
  const { at } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const handlers = {
  async one(n) {
    await sleep(n % 7);
    await fs.readFile("one.txt");
    await sleep(n % 3);
    await fs.stat("one.txt");
  },
  async two(n) {
    await sleep(n % 5);
    await fs.writeFile("two" + (n % 2 ? "a" : "b"), "x");
    await Promise.all([fs.readdir("."), sleep(n % 4)]);
  },
};
await fs.writeFile("one.txt", "1");
const all = [];
for (let n = 0; n < ${count}; n++) all.push(n % 2 ? handlers.one(n) : handlers.two(n));
await Promise.all(all);
`,
    },
    NODE,
  );
  const half = count / 2;
  assert.deepEqual(at(5), []);
  assert.deepEqual(at(6), [`${half} fs read one.txt`]);
  assert.deepEqual(at(8), [`${half} fs read one.txt`]);
  assert.deepEqual(at(12), [`${half} fs write twob`]);
  assert.deepEqual(at(13), [`${half} fs read .`]);
  // They were started before, in nobody's call: nothing of theirs is this one's.
  assert.deepEqual(at(19), []);
});

await test("a thenable that begins its work when it is awaited does so for that await", async () => {
  const { at } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
const query = (path) => ({ then: (done, failed) => fs.readFile(path).then(done, failed) });
const made = query("main.js");
await fs.stat("main.js");
await made;
await query("package.json").then((it) => it.length);
`,
    },
    NODE,
  );
  assert.deepEqual(at(4), ["1 fs read main.js"]);
  assert.deepEqual(at(5), ["1 fs read main.js"]);
  assert.deepEqual(at(6), ["1 fs read package.json"]);
});

await test("a program does what it did, errors and exit code too", async () => {
  const { exitCode, at, awaits } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
const order = [];
const tick = async (name) => { await null; order.push(name); };
await Promise.all([tick("a"), tick("b"), (async () => { order.push(await "c"); })()]);
if (order.join("") !== "abc") process.exit(4);
try { await fs.readFile("none"); } catch (error) { if (error.code !== "ENOENT") process.exit(5); }
try { await (() => { throw new Error("at once"); })(); } catch {}
await fs.stat("main.js");
const f = (x) => x;
if ((await (1, 2)) !== 2 || (await f(await f(3))) !== 3) process.exit(6);
process.exitCode = 7;
`,
    },
    NODE,
  );
  assert.equal(exitCode, 7);
  assert.deepEqual(at(6), ["1 fs read none"]);
  assert.deepEqual(at(8), ["1 fs read main.js"]);
  assert.ok(awaits.length > 5);
});

await test("no value of a query, an address, a path or a body is written", async () => {
  const { text } = await observed(
    {
      "main.js": `import fs from "node:fs/promises";
import http from "node:http";
const server = http.createServer((request, response) => { request.resume(); response.end("SECRET-answer"); });
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const base = "http://user:SECRET-password@127.0.0.1:" + server.address().port;
const plain = base.replace(/user.*@/, "");
for (const path of ["/a?key=SECRET-query", "/people/SECRET-20261129", "/mail/SECRET@example.org", "/t/SECRETdeadbeefdeadbeefdeadbeef01", "/#SECRET-hash"])
  await (await fetch(plain + path, { method: "POST", body: "SECRET-body", headers: { authorization: "SECRET-header" } })).text();
await new Promise((resolve) => http.get(base + "/x?SECRET=1", { headers: { cookie: "SECRET" } }, (it) => it.resume().on("end", resolve)));
await fs.writeFile("user-SECRET-1234567.txt", "SECRET-content");
await fs.readFile("user-SECRET-1234567.txt");
await fs.writeFile("/tmp/SECRET.txt", "SECRET");
await fs.rm("/tmp/SECRET.txt");
server.close();
server.closeAllConnections();
`,
    },
    NODE,
  );
  assert.match(text, /http POST/);
  assert.doesNotMatch(text, /SECRET/i);
});

await test("what is started when a wait is over is no part of it", async () => {
  const source = `import http from "node:http"; import fs from "node:fs";
const server = http.createServer((_, answer) => { fs.promises.readFile("package.json").then((it) => answer.end(it)); });
await new Promise((done) => { server.listen(0, done); });
await (await fetch("http://localhost:" + server.address().port)).text();
await (async () => { setTimeout(() => fs.writeFileSync("late", ""), 20); })();
await new Promise((done) => setTimeout(done, 60));
process.chdir("/"); await fs.promises.access("tmp");
server.closeAllConnections(); server.close();
`;
  const { at, exitCode } = await observed({ "main.js": source }, NODE);
  assert.equal(exitCode, 0);
  assert.deepEqual(
    at(3).filter((it) => !it.endsWith("later")),
    [],
  );
  assert.match(at(3).join(), /later/);
  assert.deepEqual(at(5), ["1 later"]);
  assert.deepEqual(at(7), ["1 fs read (outside)"]);
  assert.match(at(4).join("\n"), /^1 http GET http:\/\/localhost:port\/$/m);
});
