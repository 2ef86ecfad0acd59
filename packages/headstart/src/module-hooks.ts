import type { LoadFnOutput, LoadHook, LoadHookContext } from "node:module";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

/** What a module becomes: its text in another form, or as it is. */
export type Rewrite = (text: string, file: string, commonjs: boolean) => string;

/** Hooks of Node's for the modules that it loads. */
export interface Hooks {
  /** For versions that load them on another thread. */
  readonly load: LoadHook;
  /** For versions that do so on the thread of the program. */
  readonly loadSync: LoadSync;
}

type LoadSync = (
  url: string,
  context: LoadHookContext,
  nextLoad: (url: string, context?: Partial<LoadHookContext>) => LoadFnOutput,
) => LoadFnOutput;

/** The formats of code; where there is none, Node has not decided yet which it is. */
const CODE: readonly unknown[] = [
  "module",
  "commonjs",
  "module-typescript",
  "commonjs-typescript",
  null,
  undefined,
];

/** Those of CommonJS modules. Where there is none, Node loads what is no ECMAScript module as one. */
const COMMONJS: readonly unknown[] = ["commonjs", "commonjs-typescript", null, undefined];

/** Hooks that rewrite modules as Node loads them. */
export function hooksWith(rewrite: Rewrite): Hooks {
  return {
    load: async (url, context, nextLoad) => rewritten(url, await nextLoad(url, context), rewrite),
    loadSync: (url, context, nextLoad) => rewritten(url, nextLoad(url, context), rewrite),
  };
}

function rewritten(url: string, loaded: LoadFnOutput, rewrite: Rewrite): LoadFnOutput {
  const { source } = loaded;
  // CommonJS comes without its text in older versions of Node.
  if (!url.startsWith("file:") || !CODE.includes(loaded.format) || source == null) return loaded;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  const after = rewrite(text, fileURLToPath(url), COMMONJS.includes(loaded.format));
  return after === text ? loaded : { ...loaded, source: after };
}

/** What Node 22.15 and later have: hooks on the thread of the program, for `require` too. */
type RegisterHooks = (hooks: { load: LoadSync }) => void;

/**
 * Has modules rewritten as Node loads them.
 *
 * @param hooks the module that exports `load` for the thread that loads modules, in versions that have one.
 */
export function rewriteModules(rewrite: Rewrite, hooks: URL): void {
  const { registerHooks } = nodeModule as { registerHooks?: RegisterHooks };
  if (registerHooks === undefined) {
    nodeModule.register(hooks);
    hookCommonJs(rewrite);
  } else {
    registerHooks({ load: hooksWith(rewrite).loadSync });
  }
}

/** The method of Node through which the text of every CommonJS module goes. */
type Compile = (this: unknown, code: string, filename: string, ...rest: unknown[]) => unknown;

/**
 * Rewrites CommonJS in older versions of Node. The packages for that (`pirates`) drop what Node
 * hands on beside the text, and with it `require` of ECMAScript modules.
 */
function hookCommonJs(rewrite: Rewrite): void {
  const { prototype } = nodeModule.default as unknown as { prototype: { _compile: Compile } };
  const compile = prototype._compile;
  prototype._compile = function (code, filename, ...rest) {
    return compile.call(this, rewrite(code, filename, true), filename, ...rest);
  };
}
