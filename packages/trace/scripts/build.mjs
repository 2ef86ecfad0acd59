// Builds what recorded processes load: a file that every Node reads, and the recorder.
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

/** Writes both files into a folder. */
export async function buildRecorder(outdir) {
  const source = (name) => fileURLToPath(new URL(`../src/node/${name}.ts`, import.meta.url));
  const common = {
    outdir,
    bundle: true,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    platform: "node",
    minifySyntax: true,
    minifyWhitespace: true,
  };
  await build({
    ...common,
    entryPoints: [{ in: source("setup"), out: "trace-setup" }],
    external: ["./trace-recorder.cjs"],
    target: "es2015",
  });
  await build({
    ...common,
    entryPoints: [{ in: source("recorder"), out: "trace-recorder" }],
    target: "node20",
  });
}
