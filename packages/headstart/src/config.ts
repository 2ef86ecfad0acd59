import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

import { codeOf, messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import type { Answer, DenyLevel, ErrorMode, Level, LogMode } from "./levels.js";

/** The name of the configuration file. */
export const CONFIG_FILE = "headstart.config.json";

/** The key in package.json that can take its place. */
export const PACKAGE_KEY = "headstart";

/** What a configuration can set, as headstart.config.schema.json describes it. */
export interface Config {
  readonly level?: Level;
  readonly deny?: DenyLevel;
  readonly includeTests?: boolean;
  readonly errors?: ErrorMode;
  readonly logs?: LogMode;
  readonly exclude?: readonly string[];
  readonly assume?: Readonly<Record<string, Answer>>;
  readonly deps?: readonly string[];
  readonly models?: readonly string[];
  readonly root?: string;
}

/** A configuration as it was found. */
export interface FoundConfig extends Config {
  /** The folder that the globs of `exclude` are relative to; absent where there are none. */
  readonly excludeFrom?: string;
  /** The folder that the files of `assume` are relative to; absent where there are none. */
  readonly assumeFrom?: string;
}

/** The text of a configuration and where it stands. */
export interface ConfigSource {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/**
 * The configuration for a run in `cwd`: that in the file `given`, none for `false`, else the
 * nearest one. Its paths come back absolute.
 */
export async function loadConfig(cwd: string, given?: string | false): Promise<FoundConfig> {
  if (given === false) return {};
  const source = given === undefined ? findConfig(cwd) : readGiven(cwd, given);
  if (source === undefined) return {};
  // Parser and validator take longer to load than everything else; most runs need neither.
  const { parseConfig } = await import("./config-parse.js");
  const { models, root, ...config } = parseConfig(source, relative(cwd, source.file));
  const folder = dirname(source.file);
  return {
    ...config,
    // A file named on the command line may stand anywhere, so its globs are those of `cwd`.
    ...(config.exclude && { excludeFrom: given === undefined ? folder : cwd }),
    ...(config.assume && { assume: { ...config.assume }, assumeFrom: folder }),
    ...(models && { models: models.map((file) => resolve(folder, file)) }),
    ...(root !== undefined && { root: folderOf(resolve(folder, root), root, cwd, source.file) }),
  };
}

/** The root that a configuration names, if it is there. */
function folderOf(path: string, given: string, cwd: string, file: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new HeadstartError(
    `${relative(cwd, file)}: the folder "${given}", named as "root", does not exist; correct it`,
  );
}

/**
 * Looks for a configuration in `cwd` and the folders above it, up to the root of the
 * repository or of the file system.
 */
export function findConfig(cwd: string): ConfigSource | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = configOf(folder, cwd);
    if (found !== undefined) return found;
    if (exists(join(folder, ".git")) || dirname(folder) === folder) return undefined;
  }
}

function configOf(folder: string, cwd: string): ConfigSource | undefined {
  const own = readIfThere(join(folder, CONFIG_FILE), cwd);
  const manifest = readIfThere(join(folder, "package.json"), cwd);
  const shared = manifest !== undefined && hasPackageKey(manifest.text) ? manifest : undefined;
  if (own !== undefined && shared !== undefined) {
    const [a, b] = [own, shared].map(({ file }) => relative(cwd, file));
    throw new HeadstartError(
      `both ${String(a)} and the key "${PACKAGE_KEY}" in ${String(b)} configure headstart; keep one of them`,
    );
  }
  return own ?? shared;
}

/**
 * Whether a package.json configures Headstart. Most do not even mention it, and one that
 * does not parse is somebody else's trouble unless it does.
 */
function hasPackageKey(text: string): boolean {
  if (!text.includes(`"${PACKAGE_KEY}"`)) return false;
  try {
    const manifest: unknown = JSON.parse(stripBom(text));
    return typeof manifest === "object" && manifest !== null && PACKAGE_KEY in manifest;
  } catch {
    return true;
  }
}

function readGiven(cwd: string, given: string): ConfigSource {
  const source = readIfThere(resolve(cwd, given), cwd);
  if (source === undefined) throw new HeadstartError(`the config file ${given} does not exist`);
  return source;
}

function readIfThere(file: string, cwd: string): ConfigSource | undefined {
  try {
    // To open a named pipe would be to wait for whoever writes into it.
    const found = statSync(file);
    if (!found.isFile() && !found.isDirectory()) throw new Error("it is not a regular file");
    return { file, text: readFileSync(file, "utf8") };
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    const reason = codeOf(error) === "EISDIR" ? "it is a folder" : messageOf(error);
    throw new HeadstartError(`cannot read ${relative(cwd, file)}: ${reason}`, { cause: error });
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Editors on Windows put a byte order mark in front, which JSON does not know. */
export function stripBom(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Whether a configuration in `file` stands under a key of a package.json. */
export function isManifest(file: string): boolean {
  return basename(file) === "package.json";
}
