// Programs in a process group of their own, so that all that they start ends with them.
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * @typedef {{ cwd?: string, env?: Record<string, string>, uid?: number, gid?: number }} How
 * @typedef {{ pid: number, log: string, ended: Promise<number | null>, stop(): Promise<void> }}
 *   Group
 */

/** @type {Set<number>} */
const running = new Set();

/** So many programs were started. */
let started = 0;

/** Ends a group at once; one that is already gone is no error. @param {number} pid */
function kill(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error;
  }
}

// Also when this process fails or is told to end.
process.on("exit", () => running.forEach(kill));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/**
 * Starts a program. What it prints goes to a file, whose end `tail` shows when something is wrong.
 * @param {string[]} argv @param {How} [how] @returns {Group}
 */
export function startGroup(argv, { cwd, env, ...user } = {}) {
  const log = join(tmpdir(), `headstart-corpus-${process.pid}-${started++}.log`);
  const out = openSync(log, "w");
  const child = spawn(argv[0], argv.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", out, out],
    detached: true,
    ...user,
  });
  closeSync(out);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`cannot start ${argv[0]}`);
  running.add(pid);
  /** @type {Promise<number | null>} */
  const ended = new Promise((done) => child.once("exit", done));
  const stop = async () => {
    kill(pid);
    await ended;
    running.delete(pid);
    rmSync(log, { force: true });
  };
  return { pid, log, ended, stop };
}

/** The last lines that a program printed. @param {Group} group @param {number} [lines] */
export function tail({ log }, lines = 15) {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

/**
 * Starts a program and waits until it is ready; stops it when it does not become so.
 * @param {string[]} argv @param {How} how @param {() => Promise<unknown>} ready
 */
export async function startReady(argv, how, ready) {
  const group = startGroup(argv, how);
  const early = group.ended.then((code) => {
    throw new Error(`it ended with ${code}`);
  });
  try {
    await Promise.race([ready(), early]);
    early.catch(() => undefined);
    return group;
  } catch (error) {
    const printed = tail(group);
    await group.stop();
    throw new Error(`${argv.join(" ")}: ${error}\n${printed}`, { cause: error });
  }
}
