/**
 * Removes the overhead of async functions that do not wait, in builds: `optimize` of `headstart`
 * as a plugin of Vite, Rollup, Rolldown, webpack, Rspack and esbuild.
 */
import { OPTIMIZABLE } from "headstart";
import { createUnplugin } from "unplugin";
import type { UnpluginBuildContext, UnpluginContext, UnpluginOptions } from "unplugin";

import { esbuildPlugin } from "./esbuild-setup.js";
import { COMPONENT, fileOf, MADE_UP, SCRIPT, shown } from "./modules.js";
import { chosen, type Chosen, type Options } from "./options.js";
import { warningOf } from "./transformer.js";

export type { Options, Patterns, Report } from "./options.js";

/** What a bundler hands to `transform`. */
type Context = UnpluginBuildContext & UnpluginContext;

/** The plugin for each bundler: `headstart.vite(options)` and so on. */
export const headstart = createUnplugin<Options | undefined, true>((options = {}, meta) => {
  if (meta.framework === "esbuild") {
    const { name, setup } = esbuildPlugin(options);
    return [{ name, esbuild: { setup } }];
  }
  const all = chosen(options);
  return [
    // Before types are dropped and async functions are down-levelled.
    stage("pre", SCRIPT, all),
    // Components are scripts only when their own plugins are done with them.
    stage("post", COMPONENT, all),
  ];
});

export default headstart;

/** The plugin for the modules whose ids match `ids`, before or after the other plugins. */
function stage(
  order: "pre" | "post",
  ids: RegExp,
  { transformer, isIncluded }: Chosen,
): UnpluginOptions {
  // Vite alone says beforehand whether there will be a source map.
  let sourceMap = true;
  const transform = {
    // What Rollup and Rolldown know `enforce` as.
    order,
    filter: { id: { include: ids, exclude: MADE_UP }, code: OPTIMIZABLE },
    async handler(this: Context, code: string, id: string) {
      if (!isIncluded(id)) return null;
      const loader = loaderOf(this);
      const wanted = sourceMap && loader?.sourceMap !== false;
      const outcome = await transformer.transform(code, id, fileOf(id), wanted);
      if (outcome.kind === "problem") {
        const { file, line, column } = outcome.problem;
        const loc = { file: shown(file), line, column: column - 1 };
        this.warn({ message: warningOf(outcome.problem), id, loc });
        return null;
      }
      if (outcome.mistakes !== null) this.warn({ message: outcome.mistakes, id });
      if (outcome.kind === "same") return null;
      const { result } = outcome;
      // webpack and Rspack look into the map.
      return { code: result.code, map: loader === undefined ? result.mapText : result.map };
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
