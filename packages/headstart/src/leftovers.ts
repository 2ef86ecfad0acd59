import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { isAlive } from "@headstart/verify/alive";

/** The names of the files that are written before they take the place of others. */
const TEMPORARY = /^\.headstart-(?<pid>\d{1,10})-\d+\.tmp$/;

let count = 0;

/** A name for a file that is to take the place of another in `folder`, once it is whole. */
export function temporaryIn(folder: string): string {
  count += 1;
  return join(folder, `.headstart-${String(process.pid)}-${String(count)}.tmp`);
}

/**
 * Removes what killed runs have left in a folder: files with names of {@link temporaryIn}, whose
 * process is gone. What cannot be removed does no harm and is passed over.
 */
export function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) {
    const pid = TEMPORARY.exec(name)?.groups?.["pid"];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const file = join(folder, name);
    try {
      const stats = lstatSync(file);
      if (stats.isFile() || stats.isSymbolicLink()) rmSync(file);
    } catch {
      // Gone already, or somebody else's.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
