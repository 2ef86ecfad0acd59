import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { buildSync } from "esbuild";

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

/** A folder that is gone after the test. */
export function folder(test: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "headstart-trace-"));
  test.after(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

let built: string | undefined;

/** What recorded processes load first, built as the command has it. */
export function setup(): string {
  if (built !== undefined) return built;
  const path = mkdtempSync(join(tmpdir(), "headstart-trace-setup-"));
  process.on("exit", () => {
    rmSync(path, { recursive: true, force: true });
  });
  built = join(path, "setup.cjs");
  buildSync({
    entryPoints: [createRequire(import.meta.url).resolve("../src/node/setup.ts")],
    outfile: built,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
  });
  return built;
}
