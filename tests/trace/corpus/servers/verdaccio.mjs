import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { put } from "../lib/http.mjs";
import { installNpm } from "../lib/install.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";

/** Everybody may publish, and nothing is asked of another registry. */
const CONFIG = `storage: ./storage
web:
  enable: false
packages:
  "**":
    access: $all
    publish: $all
log: { type: stdout, format: json, level: fatal }
`;

const NAME = "night";

/**
 * Publishes a version, as the command line of npm does.
 * @param {string} root @param {string} version
 */
async function publish(root, version) {
  const file = `${NAME}-${version}.tgz`;
  const data = Buffer.from("It was night. ".repeat(500));
  const shasum = createHash("sha1").update(data).digest("hex");
  const dist = { tarball: `${root}/${NAME}/-/${file}`, shasum };
  const manifest = { name: NAME, version, description: "It was night.", dist };
  const attachment = { content_type: "application/octet-stream", data: data.toString("base64") };
  await put(`${root}/${NAME}`, {
    _id: NAME,
    name: NAME,
    "dist-tags": { latest: version },
    versions: { [version]: manifest },
    _attachments: { [file]: { ...attachment, length: data.length } },
  });
}

export default {
  name: "verdaccio",
  about: "Verdaccio 6.8.0 (MIT), a registry of npm packages that keeps them in files; Express.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: { verdaccio: "6.8.0" },
      overrides: { "node-fetch": "2.7.0" },
    }),

  /** @param {string} folder @param {number} port */
  command(folder, port) {
    const data = emptyFolder(folder);
    const config = join(data, "config.yaml");
    writeFileSync(config, CONFIG);
    const program = join(folder, "node_modules/verdaccio/bin/verdaccio");
    const argv = ["node", program, "--config", config, "--listen", `127.0.0.1:${port}`];
    return { argv, cwd: data, env: {} };
  },

  /** @param {number} port */
  async ready(port) {
    const root = `http://127.0.0.1:${port}`;
    await answers(`${root}/-/ping`);
    for (const version of ["1.0.0", "1.1.0", "2.0.0"]) await publish(root, version);
  },

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      { path: `/${NAME}` },
      { path: `/${NAME}/2.0.0` },
      { path: `/${NAME}/-/${NAME}-1.0.0.tgz` },
      { path: `/-/package/${NAME}/dist-tags` },
    ]),
};
