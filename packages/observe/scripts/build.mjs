// Builds what observed processes load, with all instrumentations in it: the setup of a command that is observed, and the loader.
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

/** Writes the files into a folder; returns what esbuild says of its parts. */
export async function buildObserver(outdir) {
  const { metafile } = await build({
    entryPoints: ["setup", "loader"].map((name) => ({
      in: fileURLToPath(new URL(`../src/recorder/${name}.ts`, import.meta.url)),
      out: `observe-${name}`,
    })),
    outdir,
    bundle: true,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
  });
  return metafile;
}
