import path from "node:path";
import { statOptional } from "./files.js";
import { gitConfig } from "./git.js";

/**
 * Describes where a branch is pulled from, and when anything was last fetched.
 * @param {string} cwd
 * @param {string} gitDir
 * @param {string | null} branch
 */
export async function readRemote(cwd, gitDir, branch) {
  const fetchHead = await statOptional(path.join(gitDir, "FETCH_HEAD"));
  const fetchedAt = fetchHead?.mtime.toISOString() ?? null;
  if (branch === null) return { name: null, branch: null, url: null, fetchedAt };

  const name = await gitConfig(cwd, `branch.${branch}.remote`);
  const merge = await gitConfig(cwd, `branch.${branch}.merge`);
  const url = name && (await gitConfig(cwd, `remote.${name}.url`));
  return {
    name,
    branch: merge?.replace(/^refs\/heads\//, "") ?? null,
    url: url && withoutCredentials(url),
    fetchedAt,
  };
}

/** @param {string} url */
export function withoutCredentials(url) {
  return url.replace(/^(https?:\/\/)[^/@]*@/, "$1");
}
