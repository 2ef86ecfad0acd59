// Installs third-party programs at exact versions. What is already there is not installed again.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** No version published later than this is taken, which also pins what packages depend on. */
export const NEWEST = "2026-11-27";

const MINUTES_15 = 900_000;

/**
 * Installs once: `wanted` describes what, and is remembered in the folder when `make` succeeds.
 * @param {string} folder @param {unknown} wanted @param {() => Promise<unknown>} make
 */
export async function installOnce(folder, wanted, make) {
  const stamp = join(folder, ".installed");
  const text = JSON.stringify(wanted);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === text) return;
  rmSync(stamp, { force: true });
  await make();
  writeFileSync(stamp, text);
}

/**
 * Where node's own headers are, for packages that compile an addon: node-gyp would download them.
 */
function nodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, "include", "node")) ? { npm_config_nodedir: prefix } : {};
}

/**
 * What npm installs: names and exact versions, and versions forced on what those depend on.
 * @typedef {{
 *   dependencies: Record<string, string>,
 *   overrides?: Record<string, string>,
 *   scripts?: boolean,
 *   files?: Record<string, string>,
 *   after?: () => Promise<unknown>,
 * }} Npm
 */

/**
 * Installs npm packages into the folder, beside the given files. Install scripts run only when
 * asked for.
 * @param {string} folder @param {Npm} npm
 */
export async function installNpm(folder, npm) {
  const { dependencies, overrides = {}, scripts = false, files = {}, after } = npm;
  const manifest = { private: true, dependencies, overrides };
  const wanted = { manifest, newest: NEWEST, scripts, files, after: after?.toString() };
  await installOnce(folder, wanted, async () => {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    rmSync(join(folder, "package-lock.json"), { force: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    const args = ["install", `--before=${NEWEST}`, ...quiet];
    if (!scripts) args.push("--ignore-scripts");
    await run("npm", args, {
      cwd: folder,
      timeout: MINUTES_15,
      env: { ...process.env, ...nodeHeaders() },
    });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await after?.();
  });
}
