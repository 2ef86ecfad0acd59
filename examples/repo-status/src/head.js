import { readFile } from "node:fs/promises";
import path from "node:path";
import { readOptional } from "./files.js";
import { git } from "./git.js";

/**
 * @param {string} gitDir
 * @param {string} commonDir
 */
export async function readHead(gitDir, commonDir) {
  const head = (await readFile(path.join(gitDir, "HEAD"), "utf8")).trim();
  if (!head.startsWith("ref: ")) return { branch: null, commit: head, detached: true };

  const ref = head.slice("ref: ".length);
  const commit = await resolveRef(commonDir, ref);
  return { branch: shortName(ref), commit, detached: false };
}

/**
 * Finds the commit of a ref: a file of its own wins over a line in packed-refs.
 * @param {string} commonDir
 * @param {string} ref
 * @returns {Promise<string | null>} null for a branch with no commits yet
 */
export async function resolveRef(commonDir, ref) {
  const loose = await readOptional(path.join(commonDir, ref));
  if (loose?.startsWith("ref: ")) return resolveRef(commonDir, loose.slice("ref: ".length).trim());
  if (loose) return loose.trim();

  const packed = await readOptional(path.join(commonDir, "packed-refs"));
  const line = packed?.split("\n").find((entry) => entry.endsWith(` ${ref}`));
  return line ? line.slice(0, line.indexOf(" ")) : null;
}

/** @param {string} cwd */
export async function readLastCommit(cwd) {
  const format = "--format=%H%n%h%n%an%n%ct%n%s";
  const output = await git(cwd, "log", "-1", "--no-show-signature", format);
  const [hash, shortHash, author, time, subject] = output.split("\n");
  return { hash, shortHash, author, date: new Date(Number(time) * 1000).toISOString(), subject };
}

/** @param {string} ref */
export function shortName(ref) {
  return ref.trim().replace(/^refs\/heads\//, "");
}
