import { cpSync } from "node:fs";
import { join } from "node:path";
import { installNpm } from "../lib/install.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";

export default {
  name: "fastify-cli",
  about: "fastify-cli 8.0.2 (MIT), the application that `fastify generate` makes; Fastify 5.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: {
        "@fastify/autoload": "6.5.0",
        "@fastify/sensible": "6.0.6",
        fastify: "5.12.8",
        "fastify-cli": "8.0.2",
        "fastify-plugin": "6.0.1",
      },
      after: async () => {
        const template = join(folder, "node_modules/fastify-cli/templates/app");
        cpSync(template, join(folder, "app"), { recursive: true });
      },
    }),

  /** @param {string} folder @param {number} port */
  command(folder, port) {
    const program = join(folder, "node_modules/fastify-cli/cli.js");
    const argv = ["node", program, "start", "--port", String(port), "app.js"];
    return { argv, cwd: join(folder, "app"), env: {} };
  },

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) => loadHttp(port, seconds, [{ path: "/" }, { path: "/example" }]),
};
