// How an entry comes to an address that a browser can open.
import { join } from "node:path";
import { startReady } from "./group.mjs";
import { answers, freePort } from "./port.mjs";

/**
 * Serves a folder's files; `page` is the address of the page inside it.
 * @param {string} folder @param {string} [page]
 */
export async function serveFiles(folder, page = "") {
  const script = join(import.meta.dirname, "static.mjs");
  return serveProgram(page, (port) => ({ argv: [process.execPath, script, folder, String(port)] }));
}

/**
 * Starts a program that serves its own page.
 * @typedef {import("./group.mjs").How & { argv: string[] }} Command
 * @param {string} page @param {(port: number) => Command} command
 */
export async function serveProgram(page, command) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/${page}`;
  const { argv, ...how } = command(port);
  const group = await startReady(argv, how, () => answers(url));
  return { url, stop: group.stop };
}
