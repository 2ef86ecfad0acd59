/**
 * Builds of a project by each bundler, for `build.mjs`: packages stay outside of the bundle, source maps are made, and
 * nothing is minified or written.
 */
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where the plugin is, and the bundlers that it is tested with. */
export const PLUGIN = fileURLToPath(new URL("../../packages/unplugin-headstart/", import.meta.url));
const bundlersOf = createRequire(join(PLUGIN, "package.json"));
export const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Aliases of tsconfig.json that are no packages, such as `~/*`. */
function aliases(root) {
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
function packages(root) {
  const names = Object.keys(aliases(root)).map((name) =>
    name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
  const own = names.map((name) => `|${name}(?:/|$)`).join("");
  return new RegExp(`^(?![./]|\\0${own})`);
}

const EMPTY = [".css", ".scss", ".png", ".svg", ".gif", ".woff2", ".md"];

/** A build for each bundler; returns how many scripts it read, where it says so. */
export const BUILDS = {
  async esbuild({ root, inputs, plugins }) {
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
  async rolldown({ root, inputs, plugins }) {
    const { rolldown } = await load("rolldown");
    const bundle = await rolldown({
      cwd: root,
      input: inputs,
      platform: "node",
      external: packages(root),
      tsconfig: true,
      moduleTypes: Object.fromEntries(EMPTY.map((extension) => [extension, "empty"])),
      onLog() {},
      plugins,
    });
    await bundle.generate({ format: "es", sourcemap: true, dir: "out" });
  },
  async vite({ root, inputs, plugins }) {
    const { build } = await load("vite");
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      resolve: { alias: aliases(root) },
      build: {
        ssr: true,
        write: false,
        sourcemap: true,
        rolldownOptions: { input: inputs, external: packages(root), onLog() {} },
      },
      plugins,
    });
  },
  async rollup({ root, inputs, plugins }) {
    const { rollup } = await load("rollup");
    const [{ default: esbuild }, { nodeResolve }] = [
      await load("rollup-plugin-esbuild"),
      await load("@rollup/plugin-node-resolve"),
    ];
    const alias = Object.entries(aliases(root));
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
      external: (id) => packages(root).test(id),
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
BUILDS.webpack = (job) => pack("webpack", "webpack", job);
BUILDS.rspack = (job) => pack("@rspack/core", "rspack", job);

/** webpack and Rspack, both with the loader of Rspack or that of esbuild for types. */
async function pack(module, name, { root, inputs, plugins }) {
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
    externals: [packages(root)],
    externalsType: "commonjs",
    resolve: { extensions: [".ts", ".tsx", ".js", ".json"], alias: aliases(root) },
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
export async function load(name) {
  const module = await import(pathToFileURL(bundlersOf.resolve(name)).href);
  return module.default?.default ? module.default : module;
}
