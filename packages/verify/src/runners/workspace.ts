import { existsSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

import picomatch from "picomatch";

import type { RunnerName } from "../options.js";
import type { RunnerCall } from "./script.js";

/** Names of files with settings that a runner looks for in the folder that it runs in, and only there. */
const SETTINGS: Readonly<Record<RunnerName, RegExp | undefined>> = {
  vitest: /^--(?:config|root)\b|^-[cr]$/,
  jest: /^--(?:config|rootDir)\b|^-c$/,
  // It looks in the folders above, too.
  mocha: undefined,
  node: undefined,
};

const ENDINGS = ["ts", "mts", "cts", "js", "mjs", "cjs", "json"];

/**
 * A call that the workspace's own package.json makes, as it is to be made in the folder of one of its
 * packages: paths lead to the same places, those that name tests of other packages are left out, and the
 * workspace's settings hold where the package has none.
 */
export function callInPackage(call: RunnerCall, root: string, project: string): RunnerCall {
  const args = rebased(call.args, root, project);
  return {
    ...call,
    nodeArgs: rebased(call.nodeArgs, root, project),
    args: [...args, ...settings(call, root, project)],
  };
}

function settings({ runner, args }: RunnerCall, root: string, project: string): string[] {
  const given = SETTINGS[runner];
  if (given === undefined || args.some((arg) => given.test(arg))) return [];
  const names = (runner === "vitest" ? ["vitest.config", "vite.config"] : ["jest.config"]).flatMap(
    (name) => ENDINGS.map((ending) => `${name}.${ending}`),
  );
  const found = (folder: string): string | undefined =>
    names.find((name) => existsSync(join(folder, name)));
  const file = found(root);
  if (file === undefined || found(project) !== undefined) return [];
  const config = ["--config", way(project, join(root, file))];
  // jest takes the folder of its settings for that of the project.
  return runner === "jest" ? [...config, "--rootDir", "."] : config;
}

/** Arguments that were written for the root, for the folder of a package. */
function rebased(args: readonly string[], root: string, project: string): string[] {
  const folders = relative(root, project).split(sep);
  return args.flatMap((arg) => {
    const [, option = "", value = arg] = /^(-[^=]*=)(.*)$/s.exec(arg) ?? [];
    if (value.startsWith("-")) return [arg];
    const path = join(root, value);
    const isGlob = picomatch.scan(value).isGlob;
    // The name of a package, a number, a word: not everything is a path.
    if (!isGlob && !existsSync(path)) return [arg];
    const rest = inside(value, folders);
    if (rest !== undefined) return rest === "" ? [] : [`${option}${rest}`];
    // Settings and what is loaded first stand outside; tests that do are those of others.
    const isFile = !isGlob && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    return isFile ? [`${option}${way(project, path)}`] : [];
  });
}

/** What of a path or glob is left behind some folders; nothing where it leads elsewhere. */
function inside(path: string, folders: readonly string[]): string | undefined {
  const parts = path.split("/").filter((part) => part !== "." && part !== "");
  for (const folder of folders) {
    const part = parts[0];
    if (part === undefined) return "";
    if (part === "**") break;
    if (!picomatch.isMatch(folder, part)) return undefined;
    parts.shift();
  }
  return parts.join("/");
}

/** A relative path that no module is mistaken for. */
function way(from: string, to: string): string {
  const path = relative(from, to).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}
