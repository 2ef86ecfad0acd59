import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { codeOf } from "./errors.js";

/**
 * Makes a folder with those that it stands in. Node's own `recursive` goes on for ever where the system
 * says of a folder that is there that it is not, as Linux does below `/proc`.
 *
 * @throws what `mkdir` throws, also where something that is no folder has the name.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    const parent = dirname(folder);
    if (codeOf(error) !== "ENOENT" || parent === folder) throw error;
    makeFolder(parent);
    mkdirSync(folder);
  }
}
