import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { program, project } from "./project.js";

const HERE = fileURLToPath(new URL("..", import.meta.url));

/** As a user writes it: with esbuild, which is the only other package there. */
const CONSUMER = `import headstart, { type Options } from "unplugin-headstart/esbuild";
import vite from "unplugin-headstart/vite";
import all from "unplugin-headstart";
import { build } from "esbuild";

const options: Options = { ticks: "relaxed", keepFrames: true, exclude: [/generated/] };
// @ts-expect-error there is no such option
headstart({ keepframes: true });
await build({ entryPoints: ["src/main.ts"], plugins: [headstart(options)] });
console.log(vite(options).length, all.rollup().length);
`;

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

/** The folders of the packages that a package needs, its own first. */
function closure(folder: string, seen = new Set<string>()): Set<string> {
  if (seen.has(folder)) return seen;
  seen.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const paths = createRequire(join(folder, "package.json")).resolve.paths(name) ?? [];
    const found = paths.map((path) => join(path, name)).find((path) => isPackage(path));
    assert.ok(found, `${name} is not installed`);
    closure(found, seen);
  }
  return seen;
}

function isPackage(folder: string): boolean {
  try {
    return readdirSync(folder).includes("package.json");
  } catch {
    return false;
  }
}

describe("the package, installed in an empty project", () => {
  let cwd: string;

  before(() => {
    const shelf = project();
    // Packed from where they are, so that nothing has to be fetched.
    for (const folder of closure(HERE)) {
      run("npm", ["pack", "--ignore-scripts", "--pack-destination", shelf, folder], shelf);
    }
    cwd = project({ "package.json": '{ "private": true }' });
    const tarballs = readdirSync(shelf).map((name) => join(shelf, name));
    const install = ["install", "--offline", "--no-audit", "--ignore-scripts", "--omit=peer"];
    run("npm", [...install, ...tarballs], cwd);
    program(cwd);
    const esbuild = dirname(createRequire(import.meta.url).resolve("esbuild/package.json"));
    symlinkSync(esbuild, join(cwd, "node_modules/esbuild"));
  });

  it("holds what it needs and no more", () => {
    const files = readdirSync(join(cwd, "node_modules/unplugin-headstart")).sort();
    assert.deepEqual(files, ["LICENSE", "README.md", "dist", "package.json"]);
  });

  it("builds", () => {
    writeFileSync(
      join(cwd, "build.mjs"),
      `import { build } from "esbuild";
import headstart from "unplugin-headstart/esbuild";
await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: "out/main.mjs",
  plugins: [headstart({ report: true })],
});
`,
    );
    const said = run(process.execPath, ["build.mjs"], cwd);
    assert.match(said, /^src\/price\.ts:12:8 total: converted \(twin: lifted\)$/m);
    const printed = JSON.parse(run(process.execPath, ["out/main.mjs"], cwd)) as {
      isFast: Record<string, boolean>;
    };
    assert.equal(printed.isFast["total"], true);
  });

  it("has types that an importer can use", () => {
    writeFileSync(join(cwd, "use.ts"), CONSUMER);
    const options = [
      ...["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"],
      // The types of unplugin name bundlers that are not installed.
      ...["--skipLibCheck", "--lib", "es2022,dom", "--ignoreConfig"],
    ];
    const tsc = createRequire(import.meta.url).resolve("typescript/package.json");
    run(process.execPath, [join(dirname(tsc), "bin/tsc"), ...options, "use.ts"], cwd);
  });
});
