// Debian packages, unpacked into a folder instead of being installed: no rights are needed, and the
// system stays as it is.
import { execFile } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { emptyFolder } from "./cache.mjs";
import { installOnce } from "./install.mjs";

const run = promisify(execFile);

/**
 * Unpacks packages into `root/` of the folder; `after` then makes what the program needs besides.
 * @param {string} folder @param {Record<string, string>} packages their exact versions
 * @param {() => unknown} [after]
 */
export function unpackDebian(folder, packages, after) {
  return installOnce(folder, { packages, after: after?.toString() }, async () => {
    rmSync(join(folder, "root"), { recursive: true, force: true });
    const downloads = emptyFolder(folder, "downloads");
    const wanted = Object.entries(packages).map(([name, version]) => `${name}=${version}`);
    await run("apt-get", ["download", ...wanted], { cwd: downloads });
    for (const file of readdirSync(downloads)) {
      await run("dpkg", ["-x", join(downloads, file), join(folder, "root")]);
    }
    after?.();
  });
}
