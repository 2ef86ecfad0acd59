import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { put } from "../lib/http.mjs";
import { installNpm } from "../lib/install.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";

export default {
  name: "pouchdb-server",
  about: "PouchDB Server 4.2.0 (Apache-2.0), CouchDB's interface over LevelDB; Express.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, { dependencies: { "pouchdb-server": "4.2.0" }, scripts: true }),

  /** @param {string} folder @param {number} port */
  command(folder, port) {
    const program = join(folder, "node_modules/pouchdb-server/bin/pouchdb-server");
    const options = ["--port", String(port), "--no-stdout-logs", "--no-color"];
    return { argv: ["node", program, ...options], cwd: emptyFolder(folder), env: {} };
  },

  /** @param {number} port */
  async ready(port) {
    const root = `http://127.0.0.1:${port}`;
    await answers(root);
    await put(`${root}/notes`, {});
  },

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      { path: "/notes/note{id}", method: "PUT", body: { text: "night {id}", tags: ["a", "b"] } },
      { path: "/notes/_all_docs?limit=10" },
      { path: "/notes" },
      { path: "/notes/_changes?limit=5" },
    ]),
};
