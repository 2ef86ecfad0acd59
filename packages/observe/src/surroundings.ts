import { existsSync } from "node:fs";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

/** Histories stay where they are, as those in the project do: a test gets at no repository of the user's. */
const LEFT_OUT = new Set([".git", ".hg", ".svn"]);
/** The most that is linked of one folder: one that holds more is no folder of projects. */
const MOST = 2000;

/**
 * Makes the folders around the copy of a project: with links to what lies beside it, as programs reach that by `../`. That is the folder
 * around it, and those above up to the root of the repository.
 *
 * @param root what will be copied
 * @param scratch where to
 * @returns where the copy has to stand
 */
export async function makeSurroundings(root: string, scratch: string): Promise<string> {
  const top = topOf(root);
  const placeOf = (path: string): string => join(scratch, "in", basename(top), relative(top, path));
  for (let inner = root; inner !== top; inner = dirname(inner)) {
    const folder = dirname(inner);
    await mkdir(placeOf(folder), { recursive: true });
    await linkAll(folder, placeOf(folder), [basename(inner), ...LEFT_OUT]);
  }
  return placeOf(root);
}

/** The outermost folder that a project reaches into. */
function topOf(root: string): string {
  if (existsSync(join(root, ".git"))) return dirname(root);
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
  }
  // Projects that belong together may lie beside each other in no repository.
  return dirname(root);
}

async function linkAll(from: string, to: string, without: readonly string[]): Promise<void> {
  // Not all folders may be read.
  const names = await readdir(from).catch(() => []);
  if (names.length > MOST) return;
  for (const name of names) {
    if (without.includes(name) || name.startsWith("headstart-verify-")) continue;
    // Where links cannot be made, it is missing.
    await symlink(join(from, name), join(to, name)).catch(() => undefined);
  }
}
