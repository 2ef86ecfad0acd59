import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the files stand that the runs load: beside src/, or in the folder of what was built. */
const FOLDER = ["./runtime/", "../runtime/"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

/** The path of a file that the runs load. */
export function runtimeFile(name: string): string {
  return `${FOLDER ?? ""}${name}`;
}
