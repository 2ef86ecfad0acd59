import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { installNpm } from "../lib/install.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";
import { startPostgres } from "../lib/postgres.mjs";

const headers = { "X-Parse-Application-Id": "corpus", "X-Parse-REST-API-Key": "corpus" };

export default {
  name: "parse-server",
  about: "Parse Server 9.10.0 (Apache-2.0), a backend for applications on PostgreSQL; Express.",

  /** @param {string} folder */
  install: (folder) => installNpm(folder, { dependencies: { "parse-server": "9.10.0" } }),

  /** The database has to be there before the server starts. */
  async services() {
    const { url, stop } = await startPostgres();
    return { env: { PARSE_SERVER_DATABASE_URI: url }, stop };
  },

  /** @param {string} folder @param {number} port */
  command(folder, port) {
    const program = join(folder, "node_modules/parse-server/bin/parse-server");
    const options = ["--appId", "corpus", "--masterKey", "secret", "--restAPIKey", "corpus"];
    const argv = ["node", program, ...options, "--host", "127.0.0.1", "--port", String(port)];
    const env = { PARSE_SERVER_ALLOW_CLIENT_CLASS_CREATION: "true", SILENT: "1" };
    return { argv, cwd: emptyFolder(folder), env };
  },

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/parse/health`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      {
        path: "/parse/classes/Night",
        method: "POST",
        headers,
        body: { number: 7, text: "night {id}" },
      },
      { path: "/parse/classes/Night?limit=10&order=-createdAt", headers },
      { path: "/parse/classes/Night?where=%7B%22number%22%3A7%7D&limit=5", headers },
    ]),
};
