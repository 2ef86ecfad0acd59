// What the plugin costs a build:
//   node benches/build-cost.mjs FOLDER ENTRY... [--runs N] [--bundlers esbuild,rolldown,...]
// Builds a project with and without unplugin-headstart, by turns, each time in a process of its own,
// and prints medians of time and CPU time, and their ratio (Linux). Packages stay outside of the bundle; source maps are made.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const plugin = fileURLToPath(new URL("../packages/unplugin-headstart/", import.meta.url));
const bundlersOf = createRequire(join(plugin, "package.json"));
const SCRIPT = /\.[cm]?[jt]sx?$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "9" },
    bundlers: { type: "string", default: "esbuild,rolldown,vite,rollup,rspack,webpack" },
    // One build, in the process that a run starts: which bundler, and whether with the plugin.
    once: { type: "string" },
    plugged: { type: "boolean", default: false },
  },
});
const [folder, ...entries] = positionals;
if (folder === undefined || entries.length === 0) {
  console.error("usage: node benches/build-cost.mjs FOLDER ENTRY... [--runs N] [--bundlers LIST]");
  process.exit(2);
}
const root = resolve(folder);
const inputs = entries.map((entry) => join(root, entry));

/** Aliases of tsconfig.json that are no packages, such as `~/*`. */
function aliases() {
  const typescript = createRequire(import.meta.url)("typescript");
  const file = typescript.findConfigFile(root, typescript.sys.fileExists);
  if (file === undefined) return {};
  const { config } = typescript.readConfigFile(file, typescript.sys.readFile);
  const { paths = {}, baseUrl = "." } = config?.compilerOptions ?? {};
  return Object.fromEntries(
    Object.entries(paths).map(([name, [target]]) => [
      name.replace(/\/\*$/, ""),
      resolve(root, baseUrl, target.replace(/\/\*$/, "")),
    ]),
  );
}

/** Everything but files of the project. */
function packages() {
  const names = Object.keys(aliases()).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const own = names.map((name) => `|${name}(?:/|$)`).join("");
  return new RegExp(`^(?![./]|\\0${own})`);
}

const EMPTY = [".css", ".scss", ".png", ".svg", ".gif", ".woff2", ".md"];

/** A build for each bundler; returns how many scripts it read, where it says so. */
const BUILDS = {
  async esbuild(plugins) {
    const esbuild = await load("esbuild");
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: inputs,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      sourcemap: true,
      metafile: true,
      write: false,
      outdir: "out",
      logLevel: "silent",
      loader: Object.fromEntries(EMPTY.map((extension) => [extension, "empty"])),
      plugins,
    });
    return Object.keys(metafile.inputs).filter((file) => SCRIPT.test(file));
  },
  async rolldown(plugins) {
    const { rolldown } = await load("rolldown");
    const bundle = await rolldown({
      cwd: root,
      input: inputs,
      platform: "node",
      external: packages(),
      tsconfig: true,
      moduleTypes: Object.fromEntries(EMPTY.map((extension) => [extension, "empty"])),
      onLog() {},
      plugins,
    });
    await bundle.generate({ format: "es", sourcemap: true, dir: "out" });
  },
  async vite(plugins) {
    const { build } = await load("vite");
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      resolve: { alias: aliases() },
      build: {
        ssr: true,
        write: false,
        sourcemap: true,
        rolldownOptions: { input: inputs, external: packages(), onLog() {} },
      },
      plugins,
    });
  },
  async rollup(plugins) {
    const { rollup } = await load("rollup");
    const [{ default: esbuild }, { nodeResolve }] = [
      await load("rollup-plugin-esbuild"),
      await load("@rollup/plugin-node-resolve"),
    ];
    const alias = Object.entries(aliases());
    const find = {
      name: "alias",
      resolveId(id) {
        const [name, target] = alias.find(([name]) => id.startsWith(`${name}/`)) ?? [];
        return name && this.resolve(join(target, id.slice(name.length)));
      },
      load: { filter: { id: /\.(?:css|svg|png|md)$/ }, handler: () => "export default ''" },
    };
    const bundle = await rollup({
      input: inputs,
      external: (id) => packages().test(id),
      onLog() {},
      plugins: [
        find,
        nodeResolve({ extensions: [".ts", ".tsx", ".js", ".json"] }),
        esbuild({ target: "es2022", loaders: { ".json": "json" } }),
        ...plugins,
      ],
    });
    await bundle.generate({ format: "es", sourcemap: true, dir: "out" });
  },
};
BUILDS.webpack = (plugins) => pack("webpack", "webpack", plugins);
BUILDS.rspack = (plugins) => pack("@rspack/core", "rspack", plugins);

/** webpack and Rspack, both with the loader of Rspack or that of esbuild for types. */
async function pack(module, name, plugins) {
  const { default: compilerFor } = await load(module);
  const loader =
    name === "rspack"
      ? {
          loader: "builtin:swc-loader",
          options: {
            jsc: {
              parser: { syntax: "typescript", tsx: true, decorators: true },
              transform: { legacyDecorator: true },
              target: "es2022",
            },
          },
        }
      : {
          loader: bundlersOf.resolve("ts-loader"),
          options: {
            transpileOnly: true,
            compilerOptions: { module: "esnext", target: "es2022", sourceMap: true, noEmit: false },
          },
        };
  const compiler = compilerFor({
    mode: "none",
    target: "node",
    context: root,
    entry: inputs,
    devtool: "source-map",
    output: { path: "/out" },
    externals: [packages()],
    externalsType: "commonjs",
    resolve: { extensions: [".ts", ".tsx", ".js", ".json"], alias: aliases() },
    module: {
      rules: [
        { test: /\.tsx?$/, ...loader },
        { test: /\.(?:css|svg|png|md)$/, type: "asset/source" },
      ],
    },
    plugins,
  });
  compiler.outputFileSystem = { ...nowhere, join };
  const stats = await new Promise((done, fail) => {
    compiler.run((error, stats) => (error ? fail(error) : done(stats)));
  });
  if (stats.hasErrors()) throw new Error(stats.toString("errors-only"));
}

/** A file system that takes everything and keeps nothing. */
const nowhere = Object.fromEntries(
  ["mkdir", "writeFile", "stat", "lstat", "unlink", "rmdir", "readdir", "readFile"].map((name) => [
    name,
    (...args) => args.at(-1)(name === "stat" || name === "lstat" ? new Error("ENOENT") : null),
  ]),
);

/** What a module exports, which the resolution for CommonJS may have led to. */
async function load(name) {
  const module = await import(pathToFileURL(bundlersOf.resolve(name)).href);
  return module.default?.default ? module.default : module;
}

/** CPU time of this process and its children, in milliseconds: esbuild is a process of its own. */
function cpuTime() {
  const { user, system } = process.cpuUsage();
  const children = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean),
  );
  const ticks = children.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /s, "").split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
  // The kernel says ticks of 10 ms.
  return (user + system) / 1000 + 10 * ticks.reduce((sum, it) => sum + it, 0);
}

/** One build; prints how long it took, the plugin's own loading with it. */
async function once(bundler, plugged) {
  // Both have it loaded: what is measured is the plugin.
  await load(bundler === "rspack" ? "@rspack/core" : bundler);
  const [start, before] = [performance.now(), cpuTime()];
  const plugins = [];
  if (plugged) {
    const { default: headstart } = await import(pathToFileURL(join(plugin, `dist/${bundler}.js`)));
    plugins.push(headstart());
  }
  const files = await BUILDS[bundler](plugins);
  const took = performance.now() - start;
  console.log(JSON.stringify({ took, cpu: cpuTime() - before, files }));
  process.exit(0);
}

function run(bundler, plugged) {
  const args = [import.meta.filename, root, ...entries, "--once", bundler];
  if (plugged) args.push("--plugged");
  const options = { encoding: "utf8", maxBuffer: 1 << 26, cwd: root };
  return JSON.parse(execFileSync(process.execPath, args, options).trim().split("\n").at(-1));
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

if (values.once !== undefined) await once(values.once, values.plugged);

const files = run("esbuild", false).files;
const texts = files.map((file) => readFileSync(join(root, file), "utf8"));
const lines = texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
console.log(`${files.length} scripts, ${lines} lines; median of ${values.runs} builds each`);
for (const bundler of values.bundlers.split(",")) {
  const runs = { without: [], with: [] };
  for (let count = 0; count < Number(values.runs); count += 1) {
    // The order changes from turn to turn.
    for (const plugged of count % 2 === 0 ? [false, true] : [true, false]) {
      runs[plugged ? "with" : "without"].push(run(bundler, plugged));
    }
  }
  const [without, plugged] = [runs.without, runs.with];
  const parts = ["took", "cpu"].map((name) => {
    const [before, after] = [without, plugged].map((all) => median(all.map((it) => it[name])));
    return `${before.toFixed(0)} ms, ${after.toFixed(0)} ms (${(after / before).toFixed(2)} times)`;
  });
  console.log(`${bundler.padEnd(9)} without, with: ${parts[0]}; CPU ${parts[1]}`);
}
