import { readFile } from "node:fs/promises";
import path from "node:path";
import { readOptional, statOptional } from "./files.js";
import { readRebase } from "./rebase.js";

/**
 * Finds the unfinished operation, if any. A rebase comes first: while it is
 * stopped it can leave the files of a merge or a cherry-pick behind too.
 * @param {string} gitDir
 */
export async function readOperation(gitDir) {
  const rebase = await readRebase(gitDir);
  if (rebase) return rebase;
  const merge = await readMerge(gitDir);
  if (merge) return merge;

  const picked = await readOptional(path.join(gitDir, "CHERRY_PICK_HEAD"));
  if (picked !== null) return { type: "cherry-pick", commit: picked.trim() };
  const reverted = await readOptional(path.join(gitDir, "REVERT_HEAD"));
  if (reverted !== null) return { type: "revert", commit: reverted.trim() };

  return readBisect(gitDir);
}

/** @param {string} gitDir */
async function readMerge(gitDir) {
  const heads = await readOptional(path.join(gitDir, "MERGE_HEAD"));
  if (heads === null) return null;

  const message = await readFile(path.join(gitDir, "MERGE_MSG"), "utf8");
  const mode = await readFile(path.join(gitDir, "MERGE_MODE"), "utf8");
  return {
    type: "merge",
    heads: heads.trim().split("\n"),
    subject: message.split("\n")[0],
    noFastForward: mode.trim() === "no-ff",
  };
}

/** @param {string} gitDir */
async function readBisect(gitDir) {
  if (!(await statOptional(path.join(gitDir, "BISECT_LOG")))) return null;

  const start = await readFile(path.join(gitDir, "BISECT_START"), "utf8");
  const log = await readFile(path.join(gitDir, "BISECT_LOG"), "utf8");
  const terms = await readOptional(path.join(gitDir, "BISECT_TERMS"));
  const [badTerm, goodTerm] = (terms ?? "bad\ngood\n").split("\n");
  const lines = log.split("\n");
  return {
    type: "bisect",
    start: start.trim(),
    bad: lines.filter((line) => line.startsWith(`# ${badTerm}: [`)).length,
    good: lines.filter((line) => line.startsWith(`# ${goodTerm}: [`)).length,
  };
}
