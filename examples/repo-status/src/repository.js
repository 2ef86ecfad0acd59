import { stat } from "node:fs/promises";
import path from "node:path";
import { readOptional } from "./files.js";
import { git } from "./git.js";

/**
 * @typedef {object} Repository
 * @property {string | null} root top of the working tree, null when there is none
 * @property {string} gitDir
 * @property {string} commonDir same as gitDir except in a linked worktree
 */

/**
 * @param {string} dir any directory inside the repository
 * @returns {Promise<Repository>}
 */
export async function openRepository(dir) {
  const start = path.resolve(dir);
  const info = await stat(start);
  if (!info.isDirectory()) throw new Error(`${dir} is not a directory`);

  const output = await git(
    start,
    "rev-parse",
    "--path-format=absolute",
    "--is-inside-work-tree",
    "--git-dir",
    "--git-common-dir",
  );
  const [inWorkTree, gitDir, commonDir] = output.split("\n");
  const root = inWorkTree === "true" ? await git(start, "rev-parse", "--show-toplevel") : null;
  return { root, gitDir, commonDir };
}

/** @param {string} commonDir */
export async function readDetails(commonDir) {
  const description = await readOptional(path.join(commonDir, "description"));
  const shallow = await readOptional(path.join(commonDir, "shallow"));
  const described = description !== null && !description.startsWith("Unnamed repository");
  return {
    description: described ? description.trim() : null,
    shallow: shallow !== null && shallow.trim() !== "",
  };
}

/** @param {string} cwd */
export async function listBranches(cwd) {
  const output = await git(cwd, "branch", "--list", "--sort=refname", "--format=%(refname)");
  // A detached HEAD is listed too, as "(HEAD detached at …)".
  return output
    .split("\n")
    .filter((line) => line.startsWith("refs/heads/"))
    .map((line) => line.slice("refs/heads/".length));
}
