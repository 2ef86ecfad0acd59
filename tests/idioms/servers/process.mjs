// Servers that are programs of their own: found, started on a free port, and ended.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer, connect } from "node:net";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const FOLDERS = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", ...postgresFolders()];

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

/** @param {string} folder is made, for the identity that servers have */
export function makeFolder(folder) {
  mkdirSync(folder, { recursive: true });
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
 * Starts a server and waits until it takes connections.
 *
 * @param {string} program @param {string[]} args @param {string} cwd @param {number} port
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function startServer(program, args, cwd, port) {
  const child = spawn(need(program), args, { cwd, stdio: ["ignore", "ignore", "pipe"], ...identity() });
  let said = "";
  child.stderr.on("data", (text) => (said = (said + text).slice(-2000)));
  const ended = once(child, "exit");
  await listening(port, () => {
    if (child.exitCode !== null) throw new Error(`${program} has ended: ${said}`);
  });
  return async () => {
    child.kill();
    await ended;
  };
}

/** @param {number} port @param {() => void} check throws where waiting is in vain */
async function listening(port, check) {
  for (let tries = 0; tries < 300; tries++) {
    check();
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await delay(100);
  }
  throw new Error(`nothing listens on port ${port}`);
}
