// Builds what observed processes load, with all instrumentations in it.
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

/** Writes the file into a folder; returns what esbuild says of its parts. */
export async function buildObserver(outdir) {
  const { metafile } = await build({
    entryPoints: [
      {
        in: fileURLToPath(new URL("../src/recorder/setup.ts", import.meta.url)),
        out: "observe-setup",
      },
    ],
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
