import { readFile } from "node:fs/promises";
import path from "node:path";
import { statOptional } from "./files.js";
import { shortName } from "./head.js";

/** @param {string} gitDir */
export async function readRebase(gitDir) {
  const merge = await readMergeState(path.join(gitDir, "rebase-merge"));
  return merge ?? readApplyState(path.join(gitDir, "rebase-apply"));
}

/** @param {string} dir */
async function readMergeState(dir) {
  const info = await statOptional(dir);
  if (!info?.isDirectory()) return null;

  const headName = await readFile(path.join(dir, "head-name"), "utf8");
  const onto = await readFile(path.join(dir, "onto"), "utf8");
  const origHead = await readFile(path.join(dir, "orig-head"), "utf8");
  const rebase = describe(headName, onto, origHead);

  // There are no step numbers while the todo list is still being edited.
  if (!(await statOptional(path.join(dir, "msgnum")))) {
    return { ...rebase, step: null, total: null };
  }
  const step = await readFile(path.join(dir, "msgnum"), "utf8");
  const total = await readFile(path.join(dir, "end"), "utf8");
  return { ...rebase, step: Number(step), total: Number(total) };
}

/**
 * `git rebase --apply` and `git am` share this directory.
 * @param {string} dir
 */
async function readApplyState(dir) {
  const info = await statOptional(dir);
  if (!info?.isDirectory()) return null;

  const next = await readFile(path.join(dir, "next"), "utf8");
  const last = await readFile(path.join(dir, "last"), "utf8");
  const progress = { step: Number(next), total: Number(last) };
  if (await statOptional(path.join(dir, "applying"))) return { type: "am", ...progress };

  const headName = await readFile(path.join(dir, "head-name"), "utf8");
  const onto = await readFile(path.join(dir, "onto"), "utf8");
  const origHead = await readFile(path.join(dir, "orig-head"), "utf8");
  return { ...describe(headName, onto, origHead), ...progress };
}

/**
 * @param {string} headName
 * @param {string} onto
 * @param {string} origHead
 */
function describe(headName, onto, origHead) {
  const branch = headName.trim() === "detached HEAD" ? null : shortName(headName);
  return { type: "rebase", branch, onto: onto.trim(), origHead: origHead.trim() };
}
