import { constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  stat,
  statfs,
  symlink,
  writeFile,
} from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { VerifyError } from "./errors.js";

/** What is never copied. History stays where it is: tests get at no repository of the user's. */
const LEFT_OUT = new Set([".git", ".hg", ".svn"]);
/** Room that a run needs beside the copies, in bytes. */
const SPARE = 64 * 1024 * 1024;

/** A copy of the project. */
export class Copy {
  readonly #texts = new Map<string, string>();

  /**
   * @param name `original` or `rewritten`.
   * @param root Where the copy of all that was copied begins.
   * @param project Where the project itself stands in it.
   */
  constructor(
    readonly name: "original" | "rewritten",
    readonly root: string,
    readonly project: string,
  ) {}

  /** Makes files say something, relative to the project; those that say it already stay untouched. */
  async install(texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [file, text] of texts) {
      if (this.#texts.get(file) === text) continue;
      await writeFile(join(this.project, file), text);
      this.#texts.set(file, text);
    }
  }
}

/** What is to be copied. */
export interface Source {
  /** The folder of the project, or that of the workspace it belongs to. */
  readonly root: string;
  readonly project: string;
  /** Folders that are left out, absolute. */
  readonly without: readonly string[];
}

interface Entry {
  /** Relative to the root. */
  readonly path: string;
  readonly kind: "folder" | "file" | "link" | "modules";
  readonly size: number;
  readonly mtimeMs: number;
}

/** All that a copy will hold. */
export interface Listing {
  readonly entries: readonly Entry[];
  readonly bytes: number;
  /** Changes when a file does, by size and time. */
  readonly fingerprint: string;
}

/** Lists what will be copied. */
export async function list(source: Source): Promise<Listing> {
  const entries: Entry[] = [];
  await listFolder(source, "", entries);
  const files = entries.filter(({ kind }) => kind === "file");
  return {
    entries,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    fingerprint: files.map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`).join("\n"),
  };
}

async function listFolder(source: Source, folder: string, entries: Entry[]): Promise<void> {
  const names = await readdir(join(source.root, folder));
  for (const name of names.sort()) {
    const path = join(folder, name);
    const absolute = join(source.root, path);
    if (LEFT_OUT.has(name) || source.without.includes(absolute)) continue;
    const { size, mtimeMs, ...status } = await lstat(absolute).then((it) => ({
      size: it.size,
      mtimeMs: it.mtimeMs,
      isLink: it.isSymbolicLink(),
      isFolder: it.isDirectory(),
      isFile: it.isFile(),
    }));
    if (name === "node_modules") entries.push({ path, kind: "modules", size, mtimeMs });
    else if (status.isLink) entries.push({ path, kind: "link", size, mtimeMs });
    else if (status.isFile) entries.push({ path, kind: "file", size, mtimeMs });
    else if (status.isFolder) {
      entries.push({ path, kind: "folder", size, mtimeMs });
      await listFolder(source, path, entries);
    }
    // Sockets and pipes belong to something that runs.
  }
}

/**
 * Makes a copy in `target`, an empty folder that is not there yet.
 *
 * @param room Says how many bytes are free where a folder is.
 * @param signal Ends it before it is whole.
 * @throws a {@link VerifyError} where there is no room for it.
 */
export async function makeCopy(
  name: Copy["name"],
  source: Source,
  listing: Listing,
  target: string,
  room = freeRoom,
  signal?: AbortSignal,
): Promise<Copy> {
  await mkdir(target, { recursive: true });
  checkRoom(target, listing.bytes, await room(target));
  for (const { path, kind } of listing.entries) {
    signal?.throwIfAborted();
    const [from, to] = [join(source.root, path), join(target, path)];
    if (kind === "folder") await mkdir(to);
    // Shares the blocks of the file until one of the two changes, where the file system can.
    else if (kind === "file") await copyFile(from, to, constants.COPYFILE_FICLONE);
    else if (kind === "link") await symlink(linkTarget(source, from, await readlink(from)), to);
    else await shareModules(source, from, to, target);
  }
  return new Copy(name, target, join(target, relative(source.root, source.project)));
}

/** The bytes that are free where a folder is. */
async function freeRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function checkRoom(target: string, bytes: number, free: number): void {
  if (free >= bytes + SPARE) return;
  throw new VerifyError(
    `there is no room for a copy of the project in ${dirname(target)}, where ${sizeOf(free)} are free: the ` +
      `copy takes ${sizeOf(bytes)}, and ${sizeOf(SPARE)} are kept for what its tests write; make room, or ` +
      `set TMPDIR to a folder that has some`,
  );
}

/** A size as people read it: `24 kB`, `67 MB`. */
function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

/** A link into the project leads to the same place in the copy; any other one stays what it is. */
function linkTarget(source: Source, link: string, value: string): string {
  if (!isAbsolute(value)) {
    return isInside(source.root, resolve(dirname(link), value))
      ? value
      : resolve(dirname(link), value);
  }
  if (!isInside(source.root, value)) return value;
  return relative(dirname(link), value);
}

/**
 * A folder of links to what is installed. What tools keep in there (`.cache`, `.vite`) is not shared,
 * since they would write it. Packages of the workspace lead to the copy.
 */
async function shareModules(
  source: Source,
  from: string,
  to: string,
  target: string,
): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    const installed = join(from, name);
    if (name.startsWith(".") && name !== ".bin" && name !== ".pnpm") continue;
    if (name.startsWith("@")) {
      await mkdir(join(to, name));
      for (const inner of await readdir(installed)) {
        await shareOne(source, join(installed, inner), join(to, name, inner), target);
      }
    } else {
      await shareOne(source, installed, join(to, name), target);
    }
  }
}

async function shareOne(source: Source, from: string, to: string, target: string): Promise<void> {
  // A link that leads nowhere is left out.
  const real = await realpath(from).catch(() => undefined);
  if (real === undefined) return;
  const own = isInside(source.root, real) && !real.split(sep).includes("node_modules");
  await symlink(own ? join(target, relative(source.root, real)) : real, to);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

/**
 * The environment of what runs in a copy: what names the project, or something in it (`PWD`, `INIT_CWD`, a part of `PATH`), names
 * the copy of that.
 */
export function environmentIn(
  copy: Copy,
  source: Source,
  variables: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const inCopy = pathsIn(copy, source);
  const moved = Object.entries(variables).map(([name, value = ""]) => {
    return [name, value.split(delimiter).map(inCopy).join(delimiter)] as const;
  });
  return { ...Object.fromEntries(moved), PWD: copy.project };
}

/** Says where in a copy a path leads that is absolute; others, and those out of what was copied, stay what they are. */
export function pathsIn(copy: Copy, source: Source): (path: string) => string {
  const roots = [source.root, realpathSync(source.root)];
  return (path) => {
    if (!isAbsolute(path)) return path;
    for (const name of existsSync(path) ? [path, realpathSync(path)] : [path]) {
      const root = roots.find((it) => isInside(it, name));
      if (root === undefined) continue;
      const to = join(copy.root, relative(root, name), /[\\/]$/.test(path) ? sep : "");
      return isLeftOut(path, to) ? path : to;
    }
    return path;
  };
}

/** Whether something was not copied, such as a history or a socket, or has sockets in it: it is used where it is. */
function isLeftOut(path: string, to: string): boolean {
  if (!existsSync(path)) return false;
  if (!existsSync(to)) return true;
  const isFolder = statSync(path).isDirectory();
  return isFolder && readdirSync(path, { withFileTypes: true }).some((it) => it.isSocket());
}

/**
 * The folder to copy for a project: that of the workspace which names it as a package, for its
 * packages and settings are found from there; else the project itself.
 */
export async function workspaceOf(
  project: string,
  matches: (glob: string, path: string) => boolean,
): Promise<string> {
  for (let folder = dirname(project); ; folder = dirname(folder)) {
    const way = relative(folder, project).split(sep).join("/");
    const globs = await workspaceGlobs(folder);
    if (globs.some((glob) => matches(glob.replace(/^\.\//, "").replace(/\/$/, ""), way)))
      return folder;
    if (dirname(folder) === folder || (await isThere(join(folder, ".git")))) return project;
  }
}

async function workspaceGlobs(folder: string): Promise<string[]> {
  const pnpm = await readText(join(folder, "pnpm-workspace.yaml"));
  // The list of strings under `packages:` is all that such a file needs to be read for.
  const listed =
    /^packages:\s*\n(?<items>(?:\s*(?:-.*|#.*)?\n?)*)/m.exec(pnpm)?.groups?.["items"] ?? "";
  const items = [...listed.matchAll(/^\s*-\s*["']?([^"'\n#]+?)["']?\s*$/gm)].map(
    ([, glob]) => glob ?? "",
  );
  return [...items, ...manifestGlobs(await readText(join(folder, "package.json")))];
}

function manifestGlobs(text: string): string[] {
  try {
    const { workspaces } = JSON.parse(text) as { workspaces?: string[] | { packages?: string[] } };
    return Array.isArray(workspaces) ? workspaces : (workspaces?.packages ?? []);
  } catch {
    return [];
  }
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
