import type { Program } from "./programs.js";

const sleep = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n`;

/** Wrong rewrites of what shares files, sockets and processes. */
export const WRONG_OUTSIDE: readonly Program[] = [
  {
    name: "a file is read that is just being written",
    source: `import fs from "node:fs/promises";
async function sizeLater(path) {
  for (let turn = 0; turn < 20; turn++) await fs.stat(".");
  return await fs.stat(path);
}
export async function save(path, text) {
  await fs.writeFile(path, text);
  const { size } = await fs.stat(path);
  return size;
}`,
    before: "await fs.writeFile(path, text);\n  const { size } = await fs.stat(path);",
    after: "const [, { size }] = await Promise.all([fs.writeFile(path, text), sizeLater(path)]);",
    test: `await fs.rm("out.txt", { force: true }); assert.equal(await program.save("out.txt", "text"), 4);`,
  },
  {
    name: "a folder is filled before it is listed",
    source: `import fs from "node:fs/promises";
async function fill(folder) { await fs.mkdir(folder, { recursive: true }); await fs.writeFile(folder + "/a", "a"); }
async function count(folder) {
  for (let i = 0; i < 30; i++) await fs.stat(".");
  return (await fs.readdir(folder)).length;
}
export async function fillAndCount(folder) {
  await fill(folder);
  const files = await count(folder);
  return files;
}`,
    before: "await fill(folder);\n  const files = await count(folder);",
    after: "const [, files] = await Promise.all([fill(folder), count(folder)]);",
    test: `await fs.rm("made", { recursive: true, force: true });
assert.equal(await program.fillAndCount("made"), 1);`,
  },
  {
    name: "a server has started when it is asked",
    source: `import http from "node:http";
let server; let port = 0;
async function start() {
  server = http.createServer((_, response) => response.end("ok")).unref();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = server.address().port;
}
async function ask() {
  await new Promise((resolve) => setTimeout(resolve, 8));
  return await (await fetch("http://127.0.0.1:" + port)).text();
}
export async function startAndAsk() {
  await start();
  const text = await ask();
  server.close();
  server.closeAllConnections();
  return text;
}`,
    before: "await start();\n  const text = await ask();",
    after: "const [, text] = await Promise.all([start(), ask()]);",
    test: `assert.equal(await program.startAndAsk(), "ok");`,
  },
  {
    name: "the second waits for what the first has opened",
    source: `import { EventEmitter } from "node:events";
${sleep}class Connection extends EventEmitter {
  open = false;
  async connect() { await sleep(2); this.open = true; this.emit("open"); }
  async send(text) { await sleep(5); if (!this.open) throw new Error("closed"); return text.length; }
}
export async function talk() {
  const connection = new Connection();
  await connection.connect();
  const sent = await connection.send("hello");
  return sent;
}`,
    before: `await connection.connect();\n  const sent = await connection.send("hello");`,
    after: `const [, sent] = await Promise.all([connection.connect(), connection.send("hello")]);`,
    test: `assert.equal(await program.talk(), 5);`,
  },
  {
    name: "a file is replaced while it is copied",
    source: `import fs from "node:fs/promises";
export async function rotate() {
  await fs.copyFile("log.txt", "log.old.txt");
  await fs.writeFile("log.txt", "");
}`,
    before: `await fs.copyFile("log.txt", "log.old.txt");\n  await fs.writeFile("log.txt", "");`,
    after: `const copy = fs.copyFile("log.txt", "log.old.txt");\n  await new Promise((resolve) => setTimeout(resolve, 2));\n  await fs.writeFile("log.txt", "");\n  await copy;`,
    test: `await fs.writeFile("log.txt", "lines"); await program.rotate();
assert.equal(await fs.readFile("log.old.txt", "utf8"), "lines");`,
  },
  {
    name: "a callback has run when the next step asks",
    source: `import fs from "node:fs";
let config;
function read(path) {
  return new Promise((resolve, reject) => {
    fs.readFile(path, "utf8", (error, text) => { if (error) return reject(error); config = JSON.parse(text); resolve(); });
  });
}
async function port() { await new Promise((resolve) => setTimeout(resolve, 10)); return config?.port ?? 80; }
export async function boot(path) {
  await read(path);
  const found = await port();
  return found;
}`,
    before: "await read(path);\n  const found = await port();",
    after: "const [, found] = await Promise.all([read(path), port()]);",
    test: `await fs.writeFile("config.json", '{"port":8080}'); assert.equal(await program.boot("config.json"), 8080);`,
  },
  {
    name: "what is sent first arrives first",
    source: `import net from "node:net";
export const received = [];
const server = net.createServer((socket) => {
  socket.on("data", (data) => { received.push(String(data)); socket.end("ok"); });
}).unref();
export const close = () => new Promise((resolve) => server.close(resolve));
const listening = new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
async function send(text) {
  await listening;
  return new Promise((resolve, reject) => {
    const socket = net.connect(server.address().port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => resolve(String(data))).on("error", reject);
  });
}
export async function sendBoth() {
  await send("insert");
  await send("select");
}`,
    before: `await send("insert");\n  await send("select");`,
    after: `await Promise.all([send("insert"), send("select")]);`,
    test: `await program.sendBoth(); assert.deepEqual(program.received, ["insert", "select"]); await program.close();`,
  },
  {
    name: "a child process has ended when its file is read",
    source: `import { execFile } from "node:child_process";
import fs from "node:fs/promises";
const run = (code) => new Promise((resolve, reject) => {
  execFile(process.execPath, ["-e", code], (error) => (error ? reject(error) : resolve()));
});
async function build() { await run("require('fs').writeFileSync('built.js', '1')"); }
async function size() {
  await new Promise((resolve) => setTimeout(resolve, 400));
  return (await fs.stat("built.js")).size;
}
export async function buildAndMeasure() {
  await fs.rm("built.js", { force: true });
  await build();
  const bytes = await size();
  return bytes;
}`,
    before: "await build();\n  const bytes = await size();",
    after: "const [, bytes] = await Promise.all([build(), size()]);",
    test: `assert.equal(await program.buildAndMeasure(), 1);`,
  },
];
