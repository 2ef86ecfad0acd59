// What native functions read and write: of what they are called on, of their arguments, of the world.
import childProcess from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import { performance } from "node:perf_hooks";

/**
 * @typedef {{ self?: "r" | "w", args?: ["r" | "w", number | "all"][], key?: boolean,
 *   resource?: ["r" | "w", RegExp, string] }} Native What is done to `this` and to the arguments (to
 *   what they hold; `key` says that the second argument is the name of a property).
 */

/** @type {Map<Function, Native>} */
export const natives = new Map();

/** @param {any} holder @param {string} names @param {Native} native */
function add(holder, names, native) {
  for (const name of names.split(" ")) {
    if (typeof holder[name] === "function") natives.set(holder[name], native);
  }
}

const writesSelf = /** @type {const} */ ({ self: "w" });
const readsSelf = /** @type {const} */ ({ self: "r" });
add(Array.prototype, "push pop shift unshift splice sort reverse fill copyWithin", writesSelf);
add(
  Array.prototype,
  "map forEach filter reduce reduceRight find findIndex findLast findLastIndex some every " +
    "indexOf lastIndexOf includes join slice flat flatMap at values entries toSorted toReversed " +
    "toSpliced with",
  readsSelf,
);
add(Array.prototype, "concat", { self: "r", args: [["r", "all"]] });
for (const { prototype } of [Map, Set, WeakMap, WeakSet]) {
  add(prototype, "set add delete clear", writesSelf);
  add(prototype, "get has forEach values keys entries", readsSelf);
}
add(Object, "keys values entries getOwnPropertyNames fromEntries", { args: [["r", 0]] });
add(Object, "assign", {
  args: [
    ["w", 0],
    ["r", "all"],
  ],
});
add(Object, "defineProperty", { args: [["w", 0]], key: true });
add(Reflect, "set deleteProperty defineProperty", { args: [["w", 0]], key: true });
add(Reflect, "get", { args: [["r", 0]], key: true });
add(Reflect, "ownKeys", { args: [["r", 0]] });
add(JSON, "stringify", { args: [["r", 0]] });
add(Array, "from", { args: [["r", 0]] });
add(Promise, "all allSettled race any", { args: [["r", 0]] });
for (const made of [Map, Set, WeakMap, WeakSet]) natives.set(made, { args: [["r", 0]] });

add(Date, "now", { resource: ["r", /^clock$/, "clock"] });
add(performance, "now", { resource: ["r", /^clock$/, "clock"] });
add(Math, "random", { resource: ["r", /^randomness$/, "randomness"] });
add(crypto, "randomUUID randomBytes randomInt", { resource: ["r", /^randomness$/, "randomness"] });
add(console, "log error warn info debug", { resource: ["w", /^output$/, "output"] });
add(process, "cwd", { resource: ["r", /^working directory$/, "working directory"] });
add(process, "chdir", { resource: ["w", /^working directory$/, "working directory"] });
add(globalThis, "setTimeout setInterval setImmediate", { resource: ["w", /^timers$/, "timers"] });
add(globalThis, "fetch", { resource: ["w", /network/, "network"] });
add(childProcess, "exec execSync execFile execFileSync spawn spawnSync fork", {
  resource: ["w", /process/, "process"],
});

const readNames = "readFile stat lstat exists readdir access realpath readlink opendir";
const writeNames =
  "writeFile appendFile mkdir mkdtemp rm rmdir unlink rename copyFile cp truncate utimes chmod symlink link";
/** @param {string} names */
const both = (names) =>
  names
    .split(" ")
    .flatMap((name) => [name, `${name}Sync`])
    .join(" ");
for (const holder of [fs, fs.promises]) {
  const file = /^(file |any file)/;
  add(holder, `${both(readNames)} createReadStream`, { resource: ["r", file, "file"] });
  add(holder, `${both(writeNames)} createWriteStream`, { resource: ["w", file, "file"] });
}

const code = new WeakMap();

/** Whether a function is not of a program. @param {unknown} f */
export function isNative(f) {
  if (typeof f !== "function") return false;
  if (natives.has(f)) return true;
  let known = code.get(f);
  if (known === undefined) {
    known = Function.prototype.toString.call(f).endsWith("{ [native code] }");
    code.set(f, known);
  }
  return known;
}

/** Objects that the language and Node provide: reading them is no effect. @type {WeakSet<object>} */
export const builtins = new WeakSet();
{
  const open = [globalThis, fs, fs.promises, childProcess, crypto, process];
  for (const object of open) builtins.add(object);
  for (const holder of [globalThis, Reflect, Math, JSON]) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const { value } = Object.getOwnPropertyDescriptor(holder, name) ?? {};
      if (!value || (typeof value !== "object" && typeof value !== "function")) continue;
      builtins.add(value);
      if (typeof value === "function" && value.prototype) builtins.add(value.prototype);
    }
  }
}
