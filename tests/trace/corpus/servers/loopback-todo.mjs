import { cpSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { installNpm } from "../lib/install.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";

export default {
  name: "loopback-todo",
  about: "LoopBack's example-todo 6.0.0 (MIT), a list of things to do kept in a file; Express.",

  /** @param {string} folder */
  install: (folder) => installNpm(folder, { dependencies: { "@loopback/example-todo": "6.0.0" } }),

  /** @param {string} folder @param {number} port */
  command(folder, port) {
    const program = join(folder, "node_modules/@loopback/example-todo");
    const data = emptyFolder(folder);
    cpSync(join(program, "data"), join(data, "data"), { recursive: true });
    const env = { HOST: "127.0.0.1", PORT: String(port) };
    return { argv: ["node", join(program, "dist/index.js")], cwd: data, env };
  },

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/todos/1`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      { path: "/todos" },
      { path: "/todos/1" },
      { path: "/todos/2", method: "PATCH", body: { title: "buy {id} loaves" } },
      { path: "/todos/count" },
    ]),
};
