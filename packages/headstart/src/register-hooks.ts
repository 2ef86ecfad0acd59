import type { LoadFnOutput, LoadHook, LoadHookContext } from "node:module";
import { fileURLToPath } from "node:url";

import type { OptimizeOptions } from "./optimize-types.js";
import { registeredOptions } from "./register-options.js";
import { optimizedSource } from "./register-source.js";

/** Read when they are needed first: what is wrong with them is said by `register`, which loads this. */
let options: OptimizeOptions | undefined;

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

/** Optimises modules as Node loads them, for versions that load them on another thread. */
export const load: LoadHook = async (url, context, nextLoad) =>
  optimized(url, await nextLoad(url, context));

/** As {@link load}, for versions that do so on the thread of the program. */
export function loadSync(
  url: string,
  context: LoadHookContext,
  nextLoad: (url: string, context?: Partial<LoadHookContext>) => LoadFnOutput,
): LoadFnOutput {
  return optimized(url, nextLoad(url, context));
}

function optimized(url: string, loaded: LoadFnOutput): LoadFnOutput {
  const { source } = loaded;
  // CommonJS comes without its text in older versions of Node.
  if (!url.startsWith("file:") || !CODE.includes(loaded.format) || source == null) return loaded;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  options ??= registeredOptions();
  const commonjs = COMMONJS.includes(loaded.format);
  const after = optimizedSource(text, fileURLToPath(url), { ...options, commonjs });
  return after === text ? loaded : { ...loaded, source: after };
}
