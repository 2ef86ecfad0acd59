// Builds dist/: one file for each of src/, the types, and the same for `require`.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync("dist", { recursive: true, force: true });
const tsc = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
buildSync({
  entryPoints: ["index", "node", "runtime"].map((name) => `dist/${name}.js`),
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "neutral",
  external: ["node:async_hooks"],
  format: "cjs",
  target: "node20",
  // What the gate is made of is not compiled to wait at it.
  banner: { js: '"ungated";' },
});
