import type { Program } from "./programs.js";

const sleep = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n`;

/** Wrong rewrites of what shares objects. */
export const WRONG_IN_MEMORY: readonly Program[] = [
  {
    name: "a list is read while it is added to",
    source: `${sleep}const rows = [];
async function add(row) { await sleep(1); rows.push(row); }
async function all() { await sleep(3); return [...rows]; }
export async function addAndList(row) {
  await add(row);
  const list = await all();
  return list;
}`,
    before: "await add(row);\n  const list = await all();",
    after: "const [, list] = await Promise.all([add(row), all()]);",
    test: `assert.deepEqual((await program.addAndList(1)).at(-1), 1);`,
  },
  {
    name: "a log is written in the order of the calls",
    source: `${sleep}export const log = [];
async function write(line) { await sleep(1); log.push(line); }
export async function transfer() {
  await write("debit");
  await write("credit");
}`,
    before: `await write("debit");\n  await write("credit");`,
    after: `await Promise.all([write("debit"), write("credit")]);`,
    test: `await program.transfer(); assert.deepEqual(program.log, ["debit", "credit"]);`,
  },
  {
    name: "a counter is read and written by two",
    source: `${sleep}export const account = { balance: 0 };
async function deposit(amount) {
  await sleep(amount * 3);
  const before = account.balance;
  await undefined;
  account.balance = before + amount;
}
export async function depositBoth(a, b) {
  await deposit(a);
  await deposit(b);
}`,
    before: "await deposit(a);\n  await deposit(b);",
    after: "await Promise.all([deposit(a), deposit(b)]);",
    test: `await program.depositBoth(1, 2); assert.equal(program.account.balance, 3);`,
  },
  {
    name: "a cache is warm when it is asked",
    source: `${sleep}const cache = new Map();
export let misses = 0;
async function warm(key) { await sleep(1); cache.set(key, key.length); }
async function ask(key) {
  await sleep(4);
  if (!cache.has(key)) { misses++; cache.set(key, key.length); }
  return cache.get(key);
}
export async function get(key) {
  await warm(key);
  return await ask(key);
}`,
    before: "await warm(key);\n  return await ask(key);",
    after: "const [, found] = await Promise.all([warm(key), ask(key)]);\n  return found;",
    test: `assert.equal(await program.get("key"), 3); assert.equal(program.misses, 0);`,
  },
  {
    name: "ids are given in order of the saves",
    source: `${sleep}let last = 0;
async function save(name) { await sleep(2); return { name, id: ++last }; }
export async function saveBoth() {
  const first = await save("first");
  const second = await save("second");
  return [first.id, second.id];
}`,
    before: `const first = await save("first");\n  const second = await save("second");`,
    after: `const [first, second] = await Promise.all([save("first"), save("second")]);`,
    test: `assert.deepEqual(await program.saveBoth(), [1, 2]);`,
  },
  {
    name: "what is checked first refuses first",
    source: `${sleep}async function allowed(user) { await sleep(1); if (user !== "root") throw new Error("not allowed"); }
async function exists(name) { await sleep(3); if (name !== "a") throw new Error("not found"); return true; }
export async function open(user, name) {
  await allowed(user);
  return await exists(name);
}`,
    before: "await allowed(user);\n  return await exists(name);",
    after: "const [, found] = await Promise.all([allowed(user), exists(name)]);\n  return found;",
    test: `await assert.rejects(program.open("me", "b"), /not allowed/);`,
  },
  {
    name: "a queue is emptied by whoever comes first",
    source: `${sleep}const queue = ["a", "b"];
async function take() { await sleep(1); return queue.shift(); }
export async function pair() {
  const left = await take();
  const right = await take();
  return left + right;
}`,
    before: "const left = await take();\n  const right = await take();",
    after: "const [left, right] = await Promise.all([take(), take()]);",
    test: `assert.equal(await program.pair(), "ab");`,
  },
  {
    name: "the last write wins",
    source: `${sleep}export const state = { mode: "" };
async function set(mode, ms) { await sleep(ms); state.mode = mode; }
export async function restart() {
  await set("stopping", 1);
  await set("started", 4);
}`,
    before: `await set("stopping", 1);\n  await set("started", 4);`,
    after: `await Promise.all([set("stopping", 1), set("started", 4)]);`,
    test: `await program.restart(); assert.equal(program.state.mode, "started");`,
  },
  {
    name: "totals are summed after all parts",
    source: `${sleep}const parts = [];
async function load(part) { await sleep(part); parts.push(part); }
async function total() { await sleep(6); return parts.reduce((a, b) => a + b, 0); }
export async function report() {
  for (const part of [1, 2]) await load(part);
  const sum = await total();
  return sum;
}`,
    before: "for (const part of [1, 2]) await load(part);\n  const sum = await total();",
    after: "const [sum] = await Promise.all([total(), ...[1, 2].map((part) => load(part))]);",
    test: `assert.equal(await program.report(), 3);`,
  },
  {
    name: "each turn of a loop adds to what the last has left",
    source: `${sleep}export async function join(words) {
  let text = "";
  const add = async (word) => { await sleep(1); text += word; };
  for (const word of words) await add(word);
  return text;
}`,
    before: "for (const word of words) await add(word);",
    after: "await Promise.all(words.map(async (word) => { await add(word); }));",
    test: `assert.equal(await program.join(["a", "b", "c"]), "abc");`,
  },
  {
    name: "a lock is held by one",
    source: `${sleep}let held = false;
async function withLock(action) {
  while (held) await sleep(1);
  await sleep(0);
  held = true;
  try { return await action(); } finally { held = false; }
}
export let most = 0; let inside = 0;
const work = (ms) => async () => { most = Math.max(most, ++inside); if (ms > 0) await sleep(ms); inside--; };
export async function both() {
  await withLock(work(0));
  await withLock(work(3));
}`,
    before: "await withLock(work(0));\n  await withLock(work(3));",
    after: "await Promise.all([withLock(work(0)), withLock(work(3))]);",
    test: `await program.both(); assert.equal(program.most, 1);`,
  },
  {
    name: "what fails early is met while another one is waited for",
    source: `${sleep}async function slow() { await sleep(3); return 1; }
async function quick() { await sleep(1); return 2; }
export async function sum() {
  try {
    const a = await slow();
    const b = await quick();
    return a + b;
  } catch { return 0; }
}`,
    before: "const a = await slow();\n    const b = await quick();",
    after: "const later = quick();\n    const a = await slow();\n    const b = await later;",
    test: `assert.ok([3, 0].includes(await program.sum())); await sleep(20);`,
  },
];
