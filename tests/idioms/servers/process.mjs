// Servers that are programs of their own: found, started on a free port, and ended.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const FOLDERS = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", ...postgresFolders()];

/** Servers that end with this program, however it ends. */
const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill()));

const MOST_TRIES = 300;

/** Debian keeps the programs of PostgreSQL in a folder of each version. */
function postgresFolders() {
  const folder = "/usr/lib/postgresql";
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((version) => join(folder, version, "bin"));
}

/** @param {string} program @returns {string | undefined} its path */
export function find(program) {
  return FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** Database servers refuse to run as root, so they run as nobody where this program is run by root. */
function identity() {
  if (process.getuid?.() !== 0) return {};
  const id = (/** @type {string} */ flag) =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** @param {string} folder is handed to the identity that servers have */
export function handOver(folder) {
  const { uid, gid } = identity();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

/**
 * Runs a program that prepares a folder.
 *
 * @param {string} program @param {string[]} args @param {string} cwd
 */
export function prepare(program, args, cwd) {
  execFileSync(need(program), args, { cwd, stdio: "pipe", ...identity() });
}

/** @param {string} program @returns {string} */
function need(program) {
  const path = find(program);
  if (!path) throw new Error(`${program} is not installed`);
  return path;
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Starts a server, and fills it.
 *
 * @param {string} program @param {string[]} args @param {string} cwd
 * @param {() => Promise<void>} fill fails while the server does not answer yet
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function startServer(program, args, cwd, fill) {
  const child = spawn(need(program), args, {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    ...identity(),
  });
  running.add(child);
  let said = "";
  child.stderr.on("data", (text) => (said = (said + text).slice(-2000)));
  const ended = once(child, "exit");
  await untilItWorks(fill, () => {
    if (child.exitCode !== null) throw new Error(`${program} has ended: ${said}`);
  });
  return async () => {
    running.delete(child);
    child.kill();
    await ended;
  };
}

/** @param {() => Promise<void>} work @param {() => void} check throws where another try is in vain */
async function untilItWorks(work, check) {
  for (let tries = 1; ; tries++) {
    check();
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
    await delay(100);
  }
}
