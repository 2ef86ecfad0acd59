import { createRequire } from "node:module";
import { join } from "node:path";

import * as rspack from "@rspack/core";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import * as rolldown from "rolldown";
import * as rollup from "rollup";
import rollupEsbuild from "rollup-plugin-esbuild";
import * as vite from "vite";
import webpack from "webpack";

import type { Options } from "../src/index.js";

// The built plugin: the loaders of webpack and Rspack run in what is published.
import forEsbuild from "../dist/esbuild.js";
import forRolldown from "../dist/rolldown.js";
import forRollup from "../dist/rollup.js";
import forRspack from "../dist/rspack.js";
import forVite from "../dist/vite.js";
import forWebpack from "../dist/webpack.js";

/** What to build: `src/main.ts` of a folder, with the plugin or, for `null`, without it. */
export interface Job {
  readonly root: string;
  readonly options: Options | null;
  /** Called with all that the bundler warns of. */
  readonly warned?: (text: string) => void;
}

/** A bundler that watches. */
export interface Watch {
  /** Waits for the next build that something changed for. */
  readonly rebuilt: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** One bundler, set up as its documentation says. */
export interface Bundler {
  /** Builds into `out/main.mjs`. */
  readonly build: (job: Job) => Promise<void>;
  /** The same again and again; resolves after the first build. */
  readonly watch: (job: Job) => Promise<Watch>;
}

/** Where {@link Bundler.build} writes. */
export function builtFile(root: string): string {
  return join(root, "out/main.mjs");
}

const EXTENSIONS = [".ts", ".js"];
const require = createRequire(import.meta.url);

const rollupInput = ({ root, options, warned }: Job): rollup.RollupOptions => ({
  input: join(root, "src/main.ts"),
  onLog: (_, log) => warned?.(log.message),
  plugins: [
    nodeResolve({ extensions: EXTENSIONS }),
    rollupEsbuild({ target: "es2022" }),
    options && forRollup(options),
  ],
});

const rolldownInput = ({ root, options, warned }: Job): rolldown.InputOptions => ({
  input: join(root, "src/main.ts"),
  platform: "node",
  onLog: (_, log) => warned?.(log.message),
  plugins: [options && forRolldown(options)],
});

const rollupOutput = (root: string) =>
  ({ file: builtFile(root), format: "es", sourcemap: true }) as const;

const viteConfig = ({ root, options, warned }: Job): vite.InlineConfig => ({
  root,
  configFile: false,
  logLevel: "silent",
  plugins: [options && forVite(options)],
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

const webpackOptions = ({ root, options }: Job): webpack.Configuration => ({
  mode: "production",
  target: "node",
  context: root,
  entry: "./src/main.ts",
  devtool: "source-map",
  experiments: { outputModule: true },
  output: packOutput(root),
  resolve: { extensions: EXTENSIONS },
  module: {
    rules: [
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

const rspackOptions = ({ root, options }: Job): rspack.Configuration => ({
  mode: "production",
  target: "node",
  context: root,
  entry: "./src/main.ts",
  devtool: "source-map",
  output: packOutput(root),
  resolve: { extensions: EXTENSIONS },
  module: {
    rules: [
      {
        test: /\.ts$/,
        loader: "builtin:swc-loader",
        options: { jsc: { parser: { syntax: "typescript" }, target: "es2022" } },
      },
    ],
  },
  plugins: [options && forRspack(options)],
});

/** The form that webpack and Rspack share, as far as it is used here. */
interface Compiler {
  run(done: (error: Error | null, stats?: Stats) => void): void;
  close(done: (error?: Error | null) => void): void;
  watch(
    options: object,
    done: (error: Error | null, stats?: Stats) => void,
  ): { close(done: () => void): void } | undefined;
}

interface Stats {
  hasErrors(): boolean;
  toString(options?: string): string;
  readonly compilation: { readonly warnings: readonly { readonly message: string }[] };
}

function pack(compilerFor: (job: Job) => Compiler): Bundler {
  return {
    build: async (job) => {
      const compiler = compilerFor(job);
      const stats = await new Promise<Stats>((done, fail) => {
        compiler.run((error, stats) => {
          if (error ?? !stats) fail(error ?? new Error("no stats"));
          else done(stats);
        });
      });
      await new Promise((done) => {
        compiler.close(done);
      });
      for (const { message } of stats.compilation.warnings) job.warned?.(message);
      if (stats.hasErrors()) throw new Error(stats.toString("errors-only"));
    },
    watch: async (job) => {
      const builds = new Builds();
      const watching = compilerFor(job).watch({ aggregateTimeout: 20 }, (error, stats) => {
        builds.end(error ?? (stats?.hasErrors() ? new Error(stats.toString("errors-only")) : null));
      });
      await builds.next();
      return {
        rebuilt: () => builds.next(),
        close: () =>
          new Promise((done) => {
            watching?.close(done);
          }),
      };
    },
  };
}

/** Builds that end, and those who wait for the next one. */
class Builds {
  readonly #ended: (Error | null)[] = [];
  #waiting: (() => void) | undefined;

  readonly end = (error: Error | null = null): void => {
    this.#ended.push(error);
    this.#waiting?.();
  };

  async next(): Promise<void> {
    while (this.#ended.length === 0) {
      await new Promise<void>((done) => (this.#waiting = done));
    }
    const error = this.#ended.shift();
    if (error) throw error;
  }
}

/** The form that the watchers of Rollup, Rolldown and Vite share. */
interface Watcher {
  on(
    event: "event",
    listener: (event: { code: string; error?: Error; result?: unknown }) => void,
  ): unknown;
  close(): Promise<void>;
}

async function watched(watcher: Watcher): Promise<Watch> {
  const builds = new Builds();
  watcher.on("event", ({ code, error, result }) => {
    if (code === "BUNDLE_END")
      (result as rollup.RollupBuild | undefined)?.close().catch(builds.end);
    if (code === "ERROR") builds.end(error);
    if (code === "END") builds.end();
  });
  await builds.next();
  return { rebuilt: () => builds.next(), close: () => watcher.close() };
}

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
