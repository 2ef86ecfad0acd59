// Builds dist/: one file for each of src/, the types, and the same for `require`. Names of fields that nobody outside may
// use are shortened, the same in all files: two copies of one version share their state.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync, transformSync } from "esbuild";

import { internal } from "./internal.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync("dist", { recursive: true, force: true });
const tsc = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { stdio: "inherit" });
const mangleProps = new RegExp(`^(?:${Object.keys(internal).join("|")})$`);
for (const name of readdirSync("dist").filter((it) => it.endsWith(".js"))) {
  const file = join("dist", name);
  const { code } = transformSync(readFileSync(file, "utf8"), {
    mangleProps,
    mangleCache: internal,
    format: "esm",
    target: "es2022",
  });
  writeFileSync(file, code);
}
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
