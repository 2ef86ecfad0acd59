// Bundles a page that mounts an application of npm, with the esbuild of the entry's own folder.
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Makes `site/` of a page `index.html` and its script.
 * @param {string} folder @param {string} main
 */
export async function bundle(folder, main) {
  const esbuild = createRequire(join(folder, "package.json"))("esbuild");
  await esbuild.build({
    absWorkingDir: folder,
    entryPoints: [main],
    outdir: "site",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    conditions: ["production"],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"', "process.env.IS_PREACT": '"false"' },
    loader: { ".woff2": "file", ".woff": "file", ".ttf": "file", ".svg": "file", ".png": "file" },
    logLevel: "error",
  });
  cpSync(join(folder, "index.html"), join(folder, "site/index.html"));
}
