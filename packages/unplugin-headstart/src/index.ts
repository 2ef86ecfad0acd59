/**
 * Removes the overhead of async functions that do not wait, in builds: `optimize` of `headstart`
 * as a plugin of Vite, Rollup, Rolldown, webpack, Rspack and esbuild.
 */
import { createFilter } from "@rollup/pluginutils";
import { OPTIMIZABLE, optimize } from "headstart";
import { createUnplugin } from "unplugin";
import type { UnpluginBuildContext, UnpluginContext, UnpluginOptions } from "unplugin";

import { setupEsbuild } from "./esbuild-setup.js";
import { COMPONENT, MADE_UP, nameOf, SCRIPT } from "./modules.js";
import { EXCLUDED, type Options } from "./options.js";
import { Transformer, warningOf } from "./transformer.js";

export type { Options, Patterns, Report } from "./options.js";

/** What a bundler hands to `transform`. */
type Context = UnpluginBuildContext & UnpluginContext;

/** The plugin for each bundler: `headstart.vite(options)` and so on. */
export const headstart = createUnplugin<Options | undefined, true>((options = {}, meta) => {
  const { include = [], exclude = EXCLUDED, report = false, ...optimizing } = options;
  // Wrong options and a missing addon are said at once, not for each file.
  optimize("", optimizing);
  const transformer = new Transformer(optimizing, report);
  const isIncluded = createFilter(include, exclude);
  if (meta.framework === "esbuild") {
    const setup = (build: Parameters<typeof setupEsbuild>[0]) => {
      setupEsbuild(build, transformer, isIncluded);
    };
    return [{ name: "headstart", esbuild: { setup } }];
  }
  return [
    // Before types are dropped and async functions are down-levelled.
    stage("pre", SCRIPT, transformer, isIncluded),
    // Components are scripts only when their own plugins are done with them.
    stage("post", COMPONENT, transformer, isIncluded),
  ];
});

export default headstart;

/** The plugin for the modules whose ids match `ids`, before or after the other plugins. */
function stage(
  order: "pre" | "post",
  ids: RegExp,
  transformer: Transformer,
  isIncluded: (id: string) => boolean,
): UnpluginOptions {
  // Vite alone says beforehand whether there will be a source map.
  let sourceMap = true;
  const transform = {
    // What Rollup and Rolldown know `enforce` as.
    order,
    filter: { id: { include: ids, exclude: MADE_UP }, code: OPTIMIZABLE },
    async handler(this: Context, code: string, id: string) {
      if (!isIncluded(id)) return null;
      const wanted = sourceMap && loaderOf(this)?.sourceMap !== false;
      const outcome = await transformer.transform(code, id, nameOf(id), wanted);
      if (outcome.kind === "problem") {
        const { file, line, column } = outcome.problem;
        this.warn({
          message: warningOf(outcome.problem),
          id,
          loc: { file, line, column: column - 1 },
        });
      }
      return outcome.kind === "changed" ? { code: outcome.code, map: outcome.map } : null;
    },
  };
  return {
    name: `headstart:${order}`,
    enforce: order,
    transform,
    vite: {
      configResolved({ command, build }) {
        sourceMap = command === "serve" || build.sourcemap !== false;
      },
    },
  };
}

/** What webpack and Rspack say of the module; `sourceMap` is whether there will be one. */
function loaderOf(context: Context): { readonly sourceMap?: unknown } | undefined {
  const native = context.getNativeBuildContext?.();
  return native?.framework === "webpack" || native?.framework === "rspack"
    ? native.loaderContext
    : undefined;
}
