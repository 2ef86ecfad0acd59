import { readFile, stat } from "node:fs/promises";

/**
 * Reads a text file that may be missing. Any error but ENOENT is thrown.
 * @param {string} file
 * @returns {Promise<string | null>}
 */
export async function readOptional(file) {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {Promise<import('node:fs').Stats | null>}
 */
export async function statOptional(file) {
  try {
    return await stat(file);
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
