import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { buildRecorder } from "../scripts/build.mjs";

/** A newer Node than that which runs the tests, where it is installed. */
const NEWER = fileURLToPath(
  new URL(
    `../../../benches/overhead/node-lts/node_modules/node-${process.platform}-${process.arch}/bin/node`,
    import.meta.url,
  ),
);

/** The Nodes that tests run programs with, and their versions. */
export function nodes(): readonly (readonly [version: string, path: string])[] {
  const paths = [process.execPath, ...(existsSync(NEWER) ? [NEWER] : [])];
  return paths.map((path) => [
    execFileSync(path, ["--version"], { encoding: "utf8" }).trim(),
    path,
  ]);
}

/** A program of the tests. */
export function program(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}

const built = mkdtempSync(join(tmpdir(), "headstart-trace-setup-"));
process.on("exit", () => {
  rmSync(built, { recursive: true, force: true });
});
await buildRecorder(built);

/** What recorded processes load first, built as the command has it. */
export function setup(): string {
  return join(built, "trace-setup.cjs");
}
