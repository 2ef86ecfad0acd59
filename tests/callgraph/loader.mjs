// The hook that instruments ES modules. It has a thread of its own in versions of Node that have no
// `registerHooks`.
import { fileURLToPath } from "node:url";
import { programFile } from "./sources.mjs";
import { instrument } from "./transform.mjs";

/**
 * What was loaded, instrumented if it is an ES module of the program.
 *
 * @param {string} url
 * @param {import("node:module").LoadFnOutput} loaded
 */
export function instrumentLoaded(url, loaded) {
  const { format, source } = loaded;
  if (format !== "module" || !url.startsWith("file:") || !source) return loaded;
  const rel = programFile(fileURLToPath(url));
  if (rel === undefined) return loaded;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  return { ...loaded, source: instrument(text, rel, "module") };
}

/** @type {import("node:module").LoadHook} */
export async function load(url, context, nextLoad) {
  return instrumentLoaded(url, await nextLoad(url, context));
}
