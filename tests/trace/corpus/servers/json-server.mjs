import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { installNpm } from "../lib/install.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";

/** What it serves at first. */
const POSTS = Array.from({ length: 200 }, (_, i) => ({
  id: i + 1,
  title: `post ${i}`,
  author: i % 7,
}));

export default {
  name: "json-server",
  about: "json-server 0.17.4 (MIT), a REST server on a JSON file; Express.",

  /** @param {string} folder */
  install: (folder) => installNpm(folder, { dependencies: { "json-server": "0.17.4" } }),

  /** @param {string} folder @param {number} port */
  command(folder, port) {
    const data = emptyFolder(folder);
    writeFileSync(join(data, "db.json"), JSON.stringify({ posts: POSTS }));
    const program = join(folder, "node_modules/json-server/lib/cli/bin.js");
    return {
      argv: ["node", program, "--quiet", "--port", String(port), "db.json"],
      cwd: data,
      env: {},
    };
  },

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/posts/1`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      { path: "/posts/7" },
      { path: "/posts?author=3&_sort=title&_limit=10" },
      { path: "/posts/9", method: "PATCH", body: { title: "changed {id}" } },
      { path: "/posts?q=post+1&_page=2" },
    ]),
};
