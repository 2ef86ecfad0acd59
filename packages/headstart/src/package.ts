import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file of this package; src/ and dist/ are both one folder below its root. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** The version in package.json. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(packageFile("package.json"), "utf8")) as {
    version: string;
  };
  return manifest.version;
}
