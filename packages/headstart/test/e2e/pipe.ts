import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";

/** Whether there are named pipes on this system. */
export const HAS_PIPES = process.platform !== "win32";

/** Makes a named pipe that nobody writes into: whoever opens it waits for ever. */
export function pipe(folder: string, name: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
}

/** Waits until somebody reads from a named pipe; its other end stays open until `release`. */
export async function opened(path: string): Promise<{ release: () => void }> {
  for (;;) {
    try {
      const end = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return {
        release: () => {
          closeSync(end);
        },
      };
    } catch {
      // Nobody has opened it yet.
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}
