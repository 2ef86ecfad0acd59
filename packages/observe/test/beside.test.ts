import assert from "node:assert/strict";
import { test } from "node:test";

import { NODE, observed } from "./made.js";

/** Ways to change something that no driver tells of, each beside a read in the same await. */
const WAYS: readonly (readonly [name: string, setup: string, act: string, seen: RegExp])[] = [
  ["a file, at once", "", `fs.writeFileSync("out", "SECRET")`, /fs write out/],
  [
    "a file by bits",
    "",
    `fs.openSync("out", fs.constants.O_RDWR | fs.constants.O_CREAT)`,
    /fs write out/,
  ],
  [
    "a file that was open before",
    `const handle = await fs.promises.open("out", "w");`,
    `handle.write("SECRET")`,
    /fs write \(open file\)/,
  ],
  [
    "a descriptor that was open before",
    `const descriptor = fs.openSync("out", "w");`,
    `fs.writeSync(descriptor, "SECRET")`,
    /fs write \(open file\)/,
  ],
  ["a process, at once", "", `childProcess.execFileSync("true", ["SECRET"])`, /process true/],
  ["a command line", "", `childProcess.execSync("echo SECRET")`, /process \(shell\)/],
  [
    "a connection that was there before",
    `const server = net.createServer((it) => it.resume()).listen(0); await events.once(server, "listening");
const socket = net.connect(server.address().port); await events.once(socket, "connect"); server.unref(); socket.unref();`,
    `socket.write("SECRET")`,
    /send raw localhost:port$/m,
  ],
  [
    "a datagram",
    `const sender = dgram.createSocket("udp4"); sender.unref();`,
    `sender.send("SECRET", 9, "127.0.0.1")`,
    /send \(datagram\)/,
  ],
  [
    "a message to a process",
    `const child = childProcess.fork("-e", ["setInterval(() => {}, 1e6)"], { execArgv: [], execPath: process.execPath }); child.on("error", () => {}); await new Promise((done) => child.once("spawn", done));`,
    `child.send("SECRET", () => {})`,
    /message process/,
  ],
  [
    "the end of a process",
    `const child = childProcess.spawn("sleep", ["9"]);`,
    `child.kill()`,
    /message process/,
  ],
  [
    "a thread that has all it needs",
    "",
    `new threads.Worker("0", { eval: true, workerData: "SECRET" })`,
    /message thread/,
  ],
  [
    "a channel",
    `const { port1, port2 } = new threads.MessageChannel(); port1.unref(); port2.unref();`,
    `port1.postMessage("SECRET")`,
    /message thread/,
  ],
  [
    "a command line, as arguments",
    "",
    `childProcess.spawnSync("true SECRET", { shell: true })`,
    /process \(shell\)/,
  ],
  [
    "a file that is emptied",
    "",
    `fs.openSync("in", fs.constants.O_RDONLY | fs.constants.O_TRUNC)`,
    /fs write in/,
  ],
  ["a file that is read and made", "", `fs.readFileSync("out", { flag: "w+" })`, /fs write out/],
  [
    "the rights of an open file",
    `const handle = await fs.promises.open("in");`,
    `handle.chmod(0o600)`,
    /fs write \(open file\)/,
  ],
  [
    "the place in an open file",
    `const handle = await fs.promises.open("in");`,
    `handle.read(Buffer.alloc(1), 0, 1)`,
    /fs position/,
  ],
  [
    "a connection that speaks something else by now",
    `const server = (await import("node:http")).createServer(); server.on("upgrade", (_, it) => { it.write("HTTP/1.1 101 Go\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\n"); it.resume(); });
server.listen(0); await events.once(server, "listening"); const url = "http://localhost:" + server.address().port;
const ask = () => new Promise(async (done) => { const it = (await import("node:http")).get(url, { headers: { Connection: "Upgrade", Upgrade: "x" } }); it.on("upgrade", (_, socket) => done(socket)); });`,
    `(await ask()).write("SECRET")`,
    /send raw localhost:port/,
  ],
  [
    "a thread",
    `const worker = new threads.Worker("setInterval(() => {}, 1e6)", { eval: true }); worker.unref();`,
    `worker.postMessage("SECRET")`,
    /message thread/,
  ],
];

for (const [name, setup, act, seen] of WAYS) {
  await test(`a read beside ${name}`, async () => {
    const source = `import fs from "node:fs"; import net from "node:net"; import dgram from "node:dgram"; import events from "node:events";
import childProcess from "node:child_process"; import threads from "node:worker_threads";
fs.writeFileSync("in", "1"); ${setup.replaceAll("\n", " ")}
const both = async () => { ${act}; return fs.promises.readFile("in"); };
await both();
process.exit(0);
`;
    const { at, exitCode, text } = await observed({ "main.js": source }, NODE);
    assert.equal(exitCode, 0);
    assert.match(at(5).join("\n"), /fs read in/);
    assert.match(at(5).join("\n"), seen);
    assert.doesNotMatch(text, /SECRET/);
  });
}

await test("more operations than are kept", async () => {
  const source = `import fs from "node:fs";
await (async () => { for (let n = 0; n < 150; n++) await fs.promises.access("f" + String.fromCharCode(97 + (n % 26), 97 + n / 26)).catch(() => 0); })();
`;
  const { at } = await observed({ "main.js": source }, NODE);
  assert.equal(at(2).filter((it) => it.includes("fs read")).length > 90, true);
  assert.match(at(2).join("\n"), /^\d+ more$/m);
});
