import path from "node:path";
import { readOptional, statOptional } from "./files.js";
import { git } from "./git.js";

/** @param {string} root */
export async function readWorkingTree(root) {
  const status = await git(
    root,
    "status",
    "--porcelain=v2",
    "--branch",
    "--untracked-files=normal",
    "-z",
  );
  return parseStatus(status);
}

/**
 * Parses the output of `git status --porcelain=v2 --branch -z`.
 * @param {string} output
 */
export function parseStatus(output) {
  const result = { upstream: null, ahead: 0, behind: 0, staged: 0, modified: 0, untracked: 0 };
  const conflicts = [];
  const entries = output.split("\0");
  for (let i = 0; i < entries.length; i++) {
    const [kind, ...fields] = entries[i].split(" ");
    if (kind === "#" && fields[0] === "branch.upstream") {
      result.upstream = fields[1];
    } else if (kind === "#" && fields[0] === "branch.ab") {
      result.ahead = Number(fields[1]);
      result.behind = -Number(fields[2]);
    } else if (kind === "1" || kind === "2") {
      if (fields[0][0] !== ".") result.staged++;
      if (fields[0][1] !== ".") result.modified++;
      if (kind === "2") i++; // the old path of a rename is an entry of its own
    } else if (kind === "u") {
      conflicts.push(fields.slice(9).join(" "));
    } else if (kind === "?") {
      result.untracked++;
    }
  }
  return { ...result, conflicts };
}

/**
 * Lists the submodules in the index and whether each one is at the recorded commit.
 * @param {string} root
 */
export async function readSubmodules(root) {
  const index = await git(root, "ls-files", "--stage", "-z");

  const submodules = [];
  for (const entry of index.split("\0")) {
    const [, recorded, name] = entry.match(/^160000 (\w+) 0\t(.*)$/s) ?? [];
    if (!recorded) continue;
    const dir = path.join(root, name);
    if (!(await statOptional(path.join(dir, ".git")))) {
      submodules.push({ path: name, recorded, current: null });
      continue;
    }
    const current = await git(dir, "rev-parse", "HEAD");
    submodules.push({ path: name, recorded, current });
  }
  return submodules;
}

/** @param {string} commonDir */
export async function readStashes(commonDir) {
  const log = await readOptional(path.join(commonDir, "logs", "refs", "stash"));
  const lines = log?.split("\n").filter(Boolean) ?? [];
  const messages = lines.map((line) => line.slice(line.indexOf("\t") + 1));
  return { count: messages.length, latest: messages.at(-1) ?? null };
}
