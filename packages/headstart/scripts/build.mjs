// Builds dist/: the command and the API with all they use in them, and the types.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

import { buildObserver } from "../../observe/scripts/build.mjs";
import { buildRecorder } from "../../trace/scripts/build.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// The page of the report is built on its own: it runs in a browser.
await import("../../report/scripts/build.mjs");
rmSync("dist", { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: [
    "cli",
    "index",
    "observe-hooks",
    "observe-register",
    "otel",
    "register",
    "register-hooks",
  ].map((it) => `src/${it}.ts`),
  outdir: "dist",
  bundle: true,
  // Shares code between the two, and keeps what is imported lazily in files of its own.
  splitting: true,
  chunkNames: "[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  plugins: [{ name: "validator", setup: generateValidator }],
});
// What every process that is recorded loads first.
await buildRecorder("dist");
const observer = await buildObserver("dist");
chmodSync("dist/cli.js", 0o755);
// What verify has the tests of a project load, as it is: it runs under whatever they run in.
cpSync("../verify/runtime", "dist/runtime", { recursive: true });
writeFileSync(
  "dist/THIRD-PARTY-LICENSES.txt",
  licences(Object.keys({ ...metafile.inputs, ...observer.inputs })),
);

const tsc = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], { stdio: "inherit" });
const needed = reachable("otel.d.ts", reachable("index.d.ts"));
for (const file of readdirSync("dist/types")) {
  if (!needed.has(file)) rmSync(join("dist/types", file));
}

/** The declarations that an importer of `file` gets to see, with it. */
function reachable(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join("dist/types", file), "utf8");
  for (const [, name] of text.matchAll(/from "\.\/(.+)\.js"/g)) reachable(`${name}.d.ts`, seen);
  return seen;
}

/** Takes the validator that Ajv generates instead of the one that generates it at run time. */
function generateValidator(bundler) {
  bundler.onLoad({ filter: /[\\/]config-validator\.ts$/ }, () => {
    const schema = JSON.parse(readFileSync("headstart.config.schema.json", "utf8"));
    const ajv = new Ajv({ code: { source: true, esm: true } });
    return { contents: standaloneCode.default(ajv, ajv.compile(schema)), loader: "js" };
  });
}

/** The licences of the packages bundled, which ask to be passed on with their code. */
function licences(inputs) {
  const folders = new Set(
    inputs.flatMap((file) => /.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined || !existsSync(join(folder, file))) {
      throw new Error(`${name} is bundled but has no licence file`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(78)}\n\n`);
}
