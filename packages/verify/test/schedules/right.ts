import type { Program } from "./programs.js";

const sleep = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n`;
const files = `import fs from "node:fs/promises";\n`;

/** Rewrites that are right: what is started at once has nothing to do with one another. */
export const RIGHT: readonly Program[] = [
  {
    name: "two files are read",
    source: `${files}export async function both() {
  const a = await fs.readFile("package.json", "utf8");
  const b = await fs.readFile("program.js", "utf8");
  return a.length > 0 && b.length > 0;
}`,
    before: `const a = await fs.readFile("package.json", "utf8");\n  const b = await fs.readFile("program.js", "utf8");`,
    after: `const [a, b] = await Promise.all([fs.readFile("package.json", "utf8"), fs.readFile("program.js", "utf8")]);`,
    test: `assert.equal(await program.both(), true);`,
  },
  {
    name: "numbers are given before anything is waited for",
    source: `${sleep}let last = 0;
async function save(name) { const id = ++last; await sleep(3 - id); return { name, id }; }
export async function saveBoth() {
  const a = await save("a");
  const b = await save("b");
  return [a.id, b.id];
}`,
    before: `const a = await save("a");\n  const b = await save("b");`,
    after: `const [a, b] = await Promise.all([save("a"), save("b")]);`,
    test: `assert.deepEqual(await program.saveBoth(), [1, 2]);`,
  },
  {
    name: "two keys of one map are filled",
    source: `${sleep}const map = new Map();
async function fill(key, ms) { await sleep(ms); map.set(key, key); }
export async function fillBoth() {
  await fill("a", 3);
  await fill("b", 1);
  return map.get("a") + map.get("b");
}`,
    before: `await fill("a", 3);\n  await fill("b", 1);`,
    after: `await Promise.all([fill("a", 3), fill("b", 1)]);`,
    test: `assert.equal(await program.fillBoth(), "ab");`,
  },
  {
    name: "results keep their order",
    source: `${sleep}async function square(n) { await sleep(5 - n); return n * n; }
export async function squares(list) {
  const found = [];
  for (const n of list) found.push(await square(n));
  return found;
}`,
    before: "for (const n of list) found.push(await square(n));",
    after: "found.push(...(await Promise.all(list.map(async (n) => await square(n)))));",
    test: `assert.deepEqual(await program.squares([1, 2, 3]), [1, 4, 9]);`,
  },
  {
    name: "two files are written",
    source: `${files}export async function write() {
  await fs.writeFile("a.out", "a");
  await fs.writeFile("b.out", "bb");
}`,
    before: `await fs.writeFile("a.out", "a");\n  await fs.writeFile("b.out", "bb");`,
    after: `await Promise.all([fs.writeFile("a.out", "a"), fs.writeFile("b.out", "bb")]);`,
    test: `await program.write();
assert.equal((await fs.readFile("a.out", "utf8")) + (await fs.readFile("b.out", "utf8")), "abb");`,
  },
  {
    name: "a server is asked twice",
    source: `import http from "node:http";
const server = http.createServer((request, response) => setTimeout(() => response.end(request.url), request.url.length)).unref();
const listening = new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
export const close = () => { server.close(); server.closeAllConnections(); };
async function ask(path) {
  await listening;
  const response = await fetch("http://127.0.0.1:" + server.address().port + path);
  return await response.text();
}
export async function askBoth() {
  const a = await ask("/one");
  const b = await ask("/second");
  return a + b;
}`,
    before: `const a = await ask("/one");\n  const b = await ask("/second");`,
    after: `const [a, b] = await Promise.all([ask("/one"), ask("/second")]);`,
    test: `assert.equal(await program.askBoth(), "/one/second"); program.close();`,
  },
  {
    name: "the first that fails is met, also when it is the second",
    source: `${sleep}async function one() { await sleep(5); return 1; }
async function two() { await sleep(1); throw new Error("two"); }
export async function both() {
  const a = await one();
  const b = await two();
  return a + b;
}`,
    before: "const a = await one();\n  const b = await two();",
    after: "const [a, b] = await Promise.all([one(), two()]);",
    test: `await assert.rejects(program.both(), /two|made this operation fail/);`,
  },
  {
    name: "what is started early is met later",
    source: `${sleep}async function slow() { await sleep(6); return 1; }
async function quick() { await sleep(1); return 2; }
export async function sum() {
  const a = await slow();
  const b = await quick();
  return a + b;
}`,
    before: "const a = await slow();\n  const b = await quick();",
    after:
      "const later = quick();\n  later.catch(() => {});\n  const a = await slow();\n  const b = await later;",
    test: `assert.equal(await program.sum(), 3);`,
  },
  {
    name: "two children run",
    source: `import { execFile } from "node:child_process";
import { promisify } from "node:util";
const run = promisify(execFile);
const print = async (text) => (await run(process.execPath, ["-p", JSON.stringify(text)])).stdout.trim();
export async function both() {
  const a = await print("a");
  const b = await print("b");
  return a + b;
}`,
    before: `const a = await print("a");\n  const b = await print("b");`,
    after: `const [a, b] = await Promise.all([print("a"), print("b")]);`,
    test: `assert.equal(await program.both(), "ab");`,
  },
  {
    name: "a thousand short waits",
    source: `${sleep}const short = async (n) => { await undefined; return n; };
export async function sum() {
  let total = 0;
  for (let n = 0; n < 1000; n++) total += await short(n);
  const rest = await short(1);
  return total + rest;
}`,
    before: "const rest = await short(1);",
    after: "const later = short(1);\n  const rest = await later;",
    test: `assert.equal(await program.sum(), 499501);`,
  },
  {
    name: "a class with a field for each",
    source: `${sleep}class Page {
  async header() { await sleep(4); this.top = "h"; }
  async footer() { await sleep(1); this.bottom = "f"; }
  async load() {
    await this.header();
    await this.footer();
    return this.top + this.bottom;
  }
}
export const load = () => new Page().load();`,
    before: "await this.header();\n    await this.footer();",
    after: "await Promise.all([this.header(), this.footer()]);",
    test: `assert.equal(await program.load(), "hf");`,
  },
  {
    name: "callbacks of the file system",
    source: `import fs from "node:fs";
import { promisify } from "node:util";
const stat = promisify(fs.stat);
const read = (path) => new Promise((resolve, reject) => fs.readFile(path, (e, data) => (e ? reject(e) : resolve(data))));
export async function both() {
  const { size } = await stat("program.js");
  const data = await read("program.js");
  return size === data.length;
}`,
    before: `const { size } = await stat("program.js");\n  const data = await read("program.js");`,
    after: `const [{ size }, data] = await Promise.all([stat("program.js"), read("program.js")]);`,
    test: `assert.equal(await program.both(), true);`,
  },
  {
    name: "streams of two files",
    source: `import fs from "node:fs";
import { text } from "node:stream/consumers";
export async function both() {
  const a = await text(fs.createReadStream("package.json"));
  const b = await text(fs.createReadStream("program.js"));
  return a.startsWith("{") && b.startsWith("import");
}`,
    before: `const a = await text(fs.createReadStream("package.json"));\n  const b = await text(fs.createReadStream("program.js"));`,
    after: `const [a, b] = await Promise.all([text(fs.createReadStream("package.json")), text(fs.createReadStream("program.js"))]);`,
    test: `assert.equal(await program.both(), true);`,
  },
  {
    name: "one is cached by the other's way",
    source: `${sleep}const cache = new Map();
function load(key) {
  if (!cache.has(key)) cache.set(key, sleep(2).then(() => key.length));
  return cache.get(key);
}
export async function sum() {
  const a = await load("same");
  const b = await load("same");
  return [a + b, cache.size];
}`,
    before: `const a = await load("same");\n  const b = await load("same");`,
    after: `const [a, b] = await Promise.all([load("same"), load("same")]);`,
    test: `assert.deepEqual(await program.sum(), [8, 1]);`,
  },
  {
    name: "rows are added whose order nobody looks at",
    source: `${sleep}const rows = new Set();
async function add(row) { await sleep(row); rows.add(row); }
export async function addBoth() {
  await add(3);
  await add(1);
  return [...rows].sort();
}`,
    before: "await add(3);\n  await add(1);",
    after: "await Promise.all([add(3), add(1)]);",
    test: `assert.deepEqual(await program.addBoth(), [1, 3]);`,
  },
  {
    name: "a sum does not mind the order",
    source: `${sleep}let total = 0;
async function add(n) { await sleep(n); total += n; }
export async function sum() {
  await add(2);
  await add(1);
  return total;
}`,
    before: "await add(2);\n  await add(1);",
    after: "await Promise.all([add(2), add(1)]);",
    test: `assert.equal(await program.sum(), 3);`,
  },
  {
    name: "what throws at once throws as before",
    source: `${sleep}function check(n) { if (n < 0) throw new Error("negative"); return sleep(1).then(() => n); }
export async function both(a, b) {
  try {
    const x = await check(a);
    const y = await check(b);
    return x + y;
  } catch (error) { return error.message; }
}`,
    before: "const x = await check(a);\n    const y = await check(b);",
    after: "const [x, y] = await Promise.all([check(a), check(b)]);",
    test: `assert.equal(await program.both(1, 2), 3); assert.equal(await program.both(-1, 2), "negative");`,
  },
  {
    name: "connections of their own",
    source: `import net from "node:net";
const server = net.createServer((socket) => socket.pipe(socket)).unref();
const listening = new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
export const close = () => new Promise((resolve) => server.close(resolve));
async function echo(text) {
  await listening;
  return new Promise((resolve, reject) => {
    const socket = net.connect(server.address().port, "127.0.0.1", () => { socket.write(text); socket.end("!"); });
    let all = "";
    socket.on("data", (data) => { all += data; }).on("end", () => resolve(all)).on("error", reject);
  });
}
export async function both() {
  const a = await echo("a");
  const b = await echo("b");
  return a + b;
}`,
    before: `const a = await echo("a");\n  const b = await echo("b");`,
    after: `const [a, b] = await Promise.all([echo("a"), echo("b")]);`,
    test: `assert.equal(await program.both(), "a!b!"); await program.close();`,
  },
  {
    name: "timers of the module timers/promises",
    source: `import { setTimeout as wait } from "node:timers/promises";
const after = async (ms, value) => await wait(ms, value);
export async function both() {
  const a = await after(4, "a");
  const b = await after(1, "b");
  return a + b;
}`,
    before: `const a = await after(4, "a");\n  const b = await after(1, "b");`,
    after: `const [a, b] = await Promise.all([after(4, "a"), after(1, "b")]);`,
    test: `assert.equal(await program.both(), "ab");`,
  },
  {
    name: "turns that have nothing to do with one another",
    source: `${files}${sleep}export async function sizes(paths) {
  const found = {};
  for (const path of paths) found[path] = (await fs.stat(path)).size > 0;
  return found;
}`,
    before: "for (const path of paths) found[path] = (await fs.stat(path)).size > 0;",
    after:
      "await Promise.all(paths.map(async (path) => { found[path] = (await fs.stat(path)).size > 0; }));",
    test: `assert.deepEqual(await program.sizes(["package.json", "program.js"]), { "package.json": true, "program.js": true });`,
  },
];
