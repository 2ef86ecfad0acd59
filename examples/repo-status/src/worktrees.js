import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { readOptional, statOptional } from "./files.js";
import { shortName } from "./head.js";

/**
 * Lists the linked worktrees of a repository.
 * @param {string} commonDir
 */
export async function readWorktrees(commonDir) {
  const dir = path.join(commonDir, "worktrees");
  const info = await statOptional(dir);
  if (!info?.isDirectory()) return [];
  const names = await readdir(dir);

  const worktrees = [];
  for (const name of names.sort()) {
    const admin = path.join(dir, name);
    const head = await readFile(path.join(admin, "HEAD"), "utf8");
    const gitFile = await readFile(path.join(admin, "gitdir"), "utf8");
    const locked = await readOptional(path.join(admin, "locked"));

    const link = path.resolve(admin, gitFile.trim());
    const present = (await statOptional(link)) !== null;
    worktrees.push({
      path: path.dirname(link),
      branch: head.startsWith("ref: ") ? shortName(head.slice("ref: ".length)) : null,
      locked: locked !== null,
      missing: !present,
    });
  }
  return worktrees;
}
