import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";
import { installTiddlywiki, TIDDLYWIKI, tiddlywiki } from "../lib/tiddlywiki.mjs";

/** Without it the server changes nothing. */
const headers = { "X-Requested-With": "TiddlyWiki" };

const NOTE = "/recipes/default/tiddlers/Note";

export default {
  name: "tiddlywiki-server",
  about: `${TIDDLYWIKI}, the wiki's own server: it reads, saves and renders notes; node:http.`,

  /** @param {string} folder */
  install: installTiddlywiki,

  /** @param {string} folder @param {number} port */
  command: tiddlywiki,

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/status`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      { path: NOTE, method: "PUT", headers, body: { text: "It was night number {id}." } },
      { path: NOTE },
      { path: "/recipes/default/tiddlers.json" },
      { path: "/GettingStarted" },
    ]),
};
