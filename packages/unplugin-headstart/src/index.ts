/**
 * Removes the overhead of async functions that do not wait, in builds: `optimize` of `headstart`
 * as a plugin of Vite, Rollup, Rolldown, webpack, Rspack and esbuild.
 */
import { OPTIMIZABLE } from "headstart";
import { createUnplugin } from "unplugin";
import type { UnpluginBuildContext, UnpluginContext, UnpluginOptions } from "unplugin";

import { Build, narrowRule, type PackCompiler } from "./build.js";
import { esbuildPlugin } from "./esbuild-setup.js";
import { COMPONENT, MADE_UP, SCRIPT, shown } from "./modules.js";
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
function stage(order: "pre" | "post", ids: RegExp, chosen: Chosen): UnpluginOptions {
  const build = new Build();
  const transform = {
    // What Rollup and Rolldown know `enforce` as.
    order,
    filter: { id: { include: ids, exclude: MADE_UP }, code: OPTIMIZABLE },
    handler: transformIn(build, chosen),
  };
  return {
    name: `headstart:${order}`,
    enforce: order,
    buildStart() {
      // Once for both stages.
      if (order === "pre" && build.root !== null) chosen.transformer.begin(build.root);
    },
    // The filter sees no text before the module has gone to a loader in JavaScript.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else may look at files
    transformInclude: (id) => {
      const isPossible = ids.test(id) && chosen.isIncluded(id) && !build.isIdle(chosen.dev);
      return isPossible && (order === "post" || build.mayBeOptimizable(id));
    },
    transform,
    ...toldBy(build, chosen, order),
  };
}

/** Listens to what the bundlers say of the build. */
function toldBy(build: Build, { dev }: Chosen, order: "pre" | "post"): Partial<UnpluginOptions> {
  const pack = (compiler: PackCompiler) => {
    build.root = compiler.context;
    build.compiler = compiler;
    if (order === "post") narrowRule(compiler, order, COMPONENT);
  };
  return {
    vite: {
      ...(dev ? {} : { apply: "build" }),
      configResolved({ command, root, build: { sourcemap } }) {
        build.root = command === "serve" ? null : root;
        build.sourceMap = command === "serve" || sourcemap !== false;
      },
    },
    rolldown: {
      options({ cwd }) {
        build.root = cwd ?? process.cwd();
      },
    },
    webpack: pack,
    rspack: pack,
  };
}

/** What `transform` does. */
function transformIn(build: Build, { transformer }: Chosen) {
  return async function (this: Context, code: string, id: string) {
    const loader = loaderOf(this);
    const wanted = build.sourceMap && loader?.sourceMap !== false;
    const outcome = await transformer.transform(code, id, wanted);
    for (const message of outcome.warnings) this.warn({ message, id });
    if (outcome.kind === "problem") {
      const { file, line, column } = outcome.problem;
      const loc = { file: shown(file), line, column: column - 1 };
      this.warn({ message: warningOf(outcome.problem), id, loc });
      return null;
    }
    if (outcome.kind === "same") return null;
    const { result } = outcome;
    // webpack and Rspack look into the map.
    return { code: result.code, map: loader === undefined ? result.mapText : result.map };
  };
}

/** What webpack and Rspack say of the module; `sourceMap` is whether there will be one. */
function loaderOf(context: Context): { readonly sourceMap?: unknown } | undefined {
  const native = context.getNativeBuildContext?.();
  return native?.framework === "webpack" || native?.framework === "rspack"
    ? native.loaderContext
    : undefined;
}
