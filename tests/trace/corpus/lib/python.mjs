// Programs of the Python package index, in an environment of their own.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { emptyFolder } from "./cache.mjs";
import { installOnce, NEWEST } from "./install.mjs";

const run = promisify(execFile);

/** This version can leave out what was published after a day. */
const PIP = "pip==26.0";

/** A program of an environment. @param {string} folder @param {string} name */
export const pythonProgram = (folder, name) => join(folder, "python/bin", name);

/**
 * Makes an environment with packages at exact versions, such as `jupyterlab==4.6.6`.
 * @param {string} folder @param {string[]} packages
 */
export function installPython(folder, packages) {
  return installOnce(folder, { packages, pip: PIP, newest: NEWEST }, async () => {
    await run("python3", ["-m", "venv", emptyFolder(folder, "python")]);
    const pip = pythonProgram(folder, "pip");
    const install = ["install", "--quiet", "--disable-pip-version-check"];
    await run(pip, [...install, PIP]);
    await run(pip, [...install, "--uploaded-prior-to", NEWEST, ...packages]);
  });
}
