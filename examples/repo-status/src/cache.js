import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { statOptional } from "./files.js";

/**
 * Replaces the cache file in one step, so that a reader never sees half of it.
 * @param {string} file
 * @param {object} report
 */
export async function writeCache(file, report) {
  const target = path.resolve(file);
  const temporary = `${target}.${process.pid}.tmp`;
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(temporary, `${JSON.stringify(report)}\n`);
  await rename(temporary, target);
}

/**
 * Returns the cached report when it is of this directory and young enough.
 * @param {string} file
 * @param {string} directory
 * @param {number} maxAge in seconds
 */
export async function readCache(file, directory, maxAge) {
  const info = await statOptional(file);
  if (!info || Date.now() - info.mtimeMs > maxAge * 1000) return null;
  const report = JSON.parse(await readFile(file, "utf8"));
  return report.directory === path.resolve(directory) ? report : null;
}
