import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Runs a read-only git command and returns its output without the final newline.
 * @param {string} cwd
 * @param {...string} args
 */
export async function git(cwd, ...args) {
  try {
    // Without optional locks, `git status` does not rewrite the index.
    const { stdout } = await run("git", ["--no-optional-locks", ...args], {
      cwd,
      maxBuffer: MAX_OUTPUT,
    });
    return stdout.replace(/\n$/, "");
  } catch (error) {
    const [reason] = (error.stderr || error.message).split("\n");
    throw Object.assign(new Error(reason, { cause: error }), { exitCode: error.code });
  }
}

/**
 * Reads one configuration value, or null when it is not set.
 * @param {string} cwd
 * @param {string} key
 * @returns {Promise<string | null>}
 */
export async function gitConfig(cwd, key) {
  try {
    return await git(cwd, "config", "--get", key);
  } catch (error) {
    if (error.exitCode === 1) return null;
    throw error;
  }
}
