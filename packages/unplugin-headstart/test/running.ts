import type { RollupBuild } from "rollup";

import type { Options } from "../src/index.js";

/** What to build: `src/main.ts` of a folder, with the plugin or, for `null`, without it. */
export interface Job {
  readonly root: string;
  readonly options: Options | null;
  /** Called with all that the bundler warns of. */
  readonly warned?: (text: string) => void;
  /** Whether another plugin takes the types off first; esbuild has none that do. */
  readonly compiled?: boolean;
  /** For webpack and Rspack. */
  readonly mode?: "development" | "production";
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

/** The form that webpack and Rspack share, as far as it is used here. */
export interface Compiler {
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

/** A bundler that is set up for each job, and then runs. */
export function pack(compilerFor: (job: Job) => Compiler): Bundler {
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
export interface Watcher {
  on(
    event: "event",
    listener: (event: { code: string; error?: Error; result?: unknown }) => void,
  ): unknown;
  close(): Promise<void>;
}

/** Waits for the first build. */
export async function watched(watcher: Watcher): Promise<Watch> {
  const builds = new Builds();
  watcher.on("event", ({ code, error, result }) => {
    if (code === "BUNDLE_END") (result as RollupBuild | undefined)?.close().catch(builds.end);
    if (code === "ERROR") builds.end(error);
    if (code === "END") builds.end();
  });
  await builds.next();
  return { rebuilt: () => builds.next(), close: () => watcher.close() };
}
