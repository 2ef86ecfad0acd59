// Node-RED is both a page and a server of the corpus.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "./cache.mjs";
import { installNpm } from "./install.mjs";

export const NODE_RED = "Node-RED 4.1.15 (Apache-2.0)";

/** Nothing is asked of the makers' servers. */
const SETTINGS = `module.exports = {
  flowFile: "flows.json",
  uiHost: "127.0.0.1",
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { palette: { catalogues: [] }, tours: false },
};
`;

/** @param {string} folder */
export const installNodeRed = (folder) =>
  installNpm(folder, { dependencies: { "node-red": "4.1.15" } });

/**
 * The command that starts it with the given flows.
 * @param {string} folder @param {number} port @param {unknown[]} [flows]
 */
export function nodeRed(folder, port, flows = []) {
  const data = emptyFolder(folder);
  writeFileSync(join(data, "settings.js"), SETTINGS);
  writeFileSync(join(data, "flows.json"), JSON.stringify(flows));
  const program = join(folder, "node_modules/node-red/red.js");
  const argv = ["node", program, "--userDir", data, "--port", String(port)];
  return { argv, cwd: data, env: {} };
}
