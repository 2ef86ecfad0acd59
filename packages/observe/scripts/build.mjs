// Builds what observed processes load, with all instrumentations in it: the setup of a command that is observed, and the loader.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

/**
 * What the bundle uses of the language where a program may put something else in its place (`Map.prototype.get = …`): of a realm of
 * its own, which no program gets at.
 */
const OWN =
  '"use strict";const{JSON,Map,Reflect,Set,WeakMap,WeakSet}=' +
  'require("node:vm").runInNewContext("({JSON,Map,Reflect,Set,WeakMap,WeakSet})");';

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
    banner: { js: OWN },
    plugins: [{ name: "own API", setup: ownApi }],
  });
  return metafile;
}

/**
 * Has the bundle share nothing with the OpenTelemetry of a program: neither the contexts nor the functions that both put
 * something around.
 */
function ownApi(bundler) {
  const change = (filter, before, after) => {
    bundler.onLoad({ filter }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes(before)) throw new Error(`${path}: has no ${before}`);
      return { contents: text.replaceAll(before, after), loader: "js" };
    });
  };
  change(
    /api[\\/]build[\\/]\w+[\\/]internal[\\/]global-utils\.js$/,
    "`opentelemetry.js.api.",
    "`headstart.opentelemetry.js.api.",
  );
  change(
    /instrumentation[\\/]build[\\/]\w+[\\/](?:shimmer|utils)\.js$/,
    "__wrapped",
    "__headstartWrapped",
  );
}
