// Where third-party programs are kept: never in the repository.
import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The folder of everything that the corpus installs. */
export function corpusFolder() {
  return process.env.HEADSTART_CORPUS ?? join(homedir(), ".cache", "headstart-corpus");
}

/**
 * The folder of one entry, made when missing.
 * @param {string} name
 */
export function entryFolder(name) {
  const folder = join(corpusFolder(), name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * An empty folder for what a program writes while it runs, so that each start begins alike.
 * @param {string} folder @param {string} [name]
 */
export function emptyFolder(folder, name = "data") {
  const data = join(folder, name);
  rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  mkdirSync(data, { recursive: true });
  return data;
}
