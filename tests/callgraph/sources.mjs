// Which files belong to the program that is recorded: HEADSTART_CALLGRAPH_ROOT is the package's
// folder, HEADSTART_CALLGRAPH_SOURCES a list of files and folders in it, separated by commas.
import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";

export const ROOT = realpathSync(process.env.HEADSTART_CALLGRAPH_ROOT ?? process.cwd());
const SOURCES = (process.env.HEADSTART_CALLGRAPH_SOURCES ?? ".").split(",");

/**
 * The path of a program's file in its package, undefined for any other file.
 *
 * @param {string} path
 */
export function programFile(path) {
  const rel = relative(ROOT, path).split(sep).join("/");
  if (rel.startsWith("..") || /(^|\/)node_modules\//.test(rel)) return undefined;
  if (!/\.[cm]?js$|(^|\/)[^.]+$/.test(rel)) return undefined;
  const inside = (/** @type {string} */ source) =>
    source === "." || rel === source || rel.startsWith(`${source}/`);
  return SOURCES.some(inside) ? rel : undefined;
}
