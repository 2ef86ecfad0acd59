// TiddlyWiki is both a page and a server of the corpus.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "./cache.mjs";
import { installNpm } from "./install.mjs";

export const TIDDLYWIKI = "TiddlyWiki 5.4.1 (BSD-3-Clause)";

/** @param {string} folder */
export const installTiddlywiki = (folder) =>
  installNpm(folder, { dependencies: { tiddlywiki: "5.4.1" } });

/**
 * The command that starts it with the wiki that its package has for servers.
 * @param {string} folder @param {number} port
 */
export function tiddlywiki(folder, port) {
  const program = join(folder, "node_modules/tiddlywiki");
  const wiki = join(emptyFolder(folder), "wiki");
  cpSync(join(program, "editions/server"), wiki, { recursive: true });
  const argv = ["node", join(program, "tiddlywiki.js"), wiki, "--listen", `port=${port}`];
  return { argv, cwd: folder, env: {} };
}
