import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import * as rspack from "@rspack/core";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import * as rolldown from "rolldown";
import * as rollup from "rollup";
import rollupEsbuild from "rollup-plugin-esbuild";
import * as vite from "vite";
import webpack from "webpack";

// The built plugin: the loaders of webpack and Rspack run in what is published.
import forEsbuild from "../dist/esbuild.js";
import forRolldown from "../dist/rolldown.js";
import forRollup from "../dist/rollup.js";
import forRspack from "../dist/rspack.js";
import forVite from "../dist/vite.js";
import forWebpack from "../dist/webpack.js";
import { compile } from "./fixtures/compile.mjs";
import { type Bundler, type Compiler, type Job, pack, watched, type Watcher } from "./running.js";

/** Where {@link Bundler.build} writes. */
export function builtFile(root: string): string {
  return join(root, "out/main.mjs");
}

const EXTENSIONS = [".ts", ".js"];
const require = createRequire(import.meta.url);

const compiler = {
  name: "compiler",
  transform: {
    order: "pre" as const,
    filter: { id: /\.ts$/ },
    handler: (code: string, id: string) => compile(code, id),
  },
};

const compilerRule = {
  test: /\.ts$/,
  enforce: "pre" as const,
  loader: fileURLToPath(new URL("fixtures/compile.mjs", import.meta.url)),
};

const rollupInput = ({ root, options, warned, compiled = false }: Job): rollup.RollupOptions => ({
  input: join(root, "src/main.ts"),
  onLog: (_, log) => warned?.(log.message),
  plugins: [
    compiled && compiler,
    nodeResolve({ extensions: EXTENSIONS }),
    rollupEsbuild({ target: "es2022" }),
    options && forRollup(options),
  ],
});

const rolldownInput = ({
  root,
  options,
  warned,
  compiled = false,
}: Job): rolldown.InputOptions => ({
  cwd: root,
  input: join(root, "src/main.ts"),
  platform: "node",
  onLog: (_, log) => warned?.(log.message),
  plugins: [compiled && (compiler as rolldown.Plugin), options && forRolldown(options)],
});

const rollupOutput = (root: string) =>
  ({ file: builtFile(root), format: "es", sourcemap: true }) as const;

const viteConfig = ({ root, options, warned, compiled = false }: Job): vite.InlineConfig => ({
  root,
  configFile: false,
  logLevel: "silent",
  plugins: [
    compiled && ({ ...compiler, enforce: "pre" } as vite.Plugin),
    options && forVite(options),
  ],
  build: {
    outDir: "out",
    sourcemap: true,
    minify: false,
    target: "es2022",
    lib: { entry: join(root, "src/main.ts"), formats: ["es"], fileName: () => "main.mjs" },
    rolldownOptions: { onLog: (_, log) => warned?.(log.message) },
  },
});

const esbuildOptions = ({ root, options }: Job): esbuild.BuildOptions => ({
  absWorkingDir: root,
  entryPoints: [join(root, "src/main.ts")],
  outfile: builtFile(root),
  bundle: true,
  format: "esm",
  platform: "node",
  sourcemap: true,
  logLevel: "silent",
  plugins: options ? [forEsbuild(options)] : [],
});

const packOutput = (root: string) => ({
  path: join(root, "out"),
  filename: "main.mjs",
  module: true,
  chunkFormat: "module",
});

const webpackOptions = ({
  root,
  options,
  mode = "production",
  compiled = false,
}: Job): webpack.Configuration => ({
  mode,
  target: "node",
  context: root,
  entry: "./src/main.ts",
  devtool: "source-map",
  experiments: { outputModule: true },
  output: packOutput(root),
  resolve: { extensions: EXTENSIONS },
  module: {
    rules: [
      compiled && compilerRule,
      {
        test: /\.ts$/,
        loader: require.resolve("ts-loader"),
        options: {
          transpileOnly: true,
          // One of its own; else it looks in the folders above.
          configFile: join(root, "tsconfig.json"),
          compilerOptions: { module: "esnext", target: "es2022", sourceMap: true },
        },
      },
    ],
  },
  plugins: [options && forWebpack(options)],
});

const rspackOptions = ({
  root,
  options,
  mode = "production",
  compiled = false,
}: Job): rspack.Configuration => ({
  mode,
  target: "node",
  context: root,
  entry: "./src/main.ts",
  devtool: "source-map",
  output: packOutput(root),
  resolve: { extensions: EXTENSIONS },
  module: {
    rules: [
      compiled && compilerRule,
      {
        test: /\.ts$/,
        loader: "builtin:swc-loader",
        options: { jsc: { parser: { syntax: "typescript" }, target: "es2022" } },
      },
    ],
  },
  plugins: [options && forRspack(options)],
});

export const BUNDLERS: Readonly<Record<string, Bundler>> = {
  vite: {
    build: async (job) => {
      await vite.build(viteConfig(job));
    },
    watch: async (job) => {
      const config = viteConfig(job);
      const watcher = await vite.build({ ...config, build: { ...config.build, watch: {} } });
      return watched(watcher as unknown as Watcher);
    },
  },
  rollup: {
    build: async (job) => {
      const bundle = await rollup.rollup(rollupInput(job));
      await bundle.write(rollupOutput(job.root));
      await bundle.close();
    },
    watch: (job) => {
      const options = { ...rollupInput(job), output: rollupOutput(job.root) };
      return watched(rollup.watch(options) as unknown as Watcher);
    },
  },
  rolldown: {
    build: async (job) => {
      const bundle = await rolldown.rolldown(rolldownInput(job));
      await bundle.write(rollupOutput(job.root));
      await bundle.close();
    },
    watch: (job) => {
      const options = { ...rolldownInput(job), output: rollupOutput(job.root) };
      return watched(rolldown.watch(options));
    },
  },
  webpack: pack((job) => webpack(webpackOptions(job)) as unknown as Compiler),
  rspack: pack((job) => rspack.rspack(rspackOptions(job)) as unknown as Compiler),
  esbuild: {
    build: async (job) => {
      const built = await esbuild.build(esbuildOptions(job)).catch((error: unknown) => error);
      for (const { text } of (built as esbuild.BuildResult).warnings) job.warned?.(text);
      if (built instanceof Error) throw built;
    },
    // Its own watch mode says nothing of rebuilds; a context rebuilds in the same way.
    watch: async (job) => {
      const context = await esbuild.context(esbuildOptions(job));
      const rebuilt = async () => {
        await context.rebuild();
      };
      await rebuilt();
      return { rebuilt, close: () => context.dispose() };
    },
  },
};
