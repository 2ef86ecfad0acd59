// Etherpad is both a page and a server of the corpus.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "./cache.mjs";
import { installNpm } from "./install.mjs";

export const ETHERPAD = "Etherpad 1.8.14 (Apache-2.0)";

/** What programs that ask Etherpad for something have to know. */
export const API_KEY = "corpus";

/**
 * Etherpad finds its files only when its package stands in a folder named `src`, with what it
 * depends on inside.
 * @param {string} folder
 */
export function installEtherpad(folder) {
  const place = join(folder, "src");
  const modules = join(folder, "node_modules");
  return installNpm(folder, {
    dependencies: { "ep_etherpad-lite": "1.8.14" },
    after: async () => {
      rmSync(place, { recursive: true, force: true });
      renameSync(join(modules, "ep_etherpad-lite"), place);
      renameSync(modules, join(place, "node_modules"));
      mkdirSync(modules);
      symlinkSync("../src", join(modules, "ep_etherpad-lite"));
      for (const file of ["package.json", "package-lock.json"]) rmSync(join(folder, file));
    },
  });
}

/**
 * The command that starts it with no pads.
 * @param {string} folder @param {number} port
 */
export function etherpad(folder, port) {
  const data = emptyFolder(folder);
  const settings = join(data, "settings.json");
  writeFileSync(join(folder, "APIKEY.txt"), API_KEY);
  writeFileSync(
    settings,
    JSON.stringify({
      ip: "127.0.0.1",
      port,
      dbType: "dirty",
      dbSettings: { filename: join(data, "pads.db") },
      loglevel: "WARN",
      importExportRateLimiting: { windowMs: 1000, max: 1e6 },
    }),
  );
  return {
    argv: ["node", join(folder, "src/node/server.js"), "--settings", settings],
    cwd: folder,
    env: { NODE_ENV: "production" },
  };
}
