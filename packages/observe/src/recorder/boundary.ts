import { ChildProcess } from "node:child_process";
import dns from "node:dns";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import type { Frame } from "./frames.js";
import type { Touched } from "./journal.js";
import { maskPath } from "./mask.js";

/** What a call does, from what it is called with. */
type Describe = (values: readonly unknown[]) => readonly string[];
type Functions = Record<string, unknown>;

const READS = [
  ...[
    "access",
    "exists",
    "glob",
    "lstat",
    "opendir",
    "readFile",
    "readdir",
    "readlink",
    "realpath",
  ],
  ...["stat", "statfs"],
];
const WRITES = [
  ...[
    "appendFile",
    "chmod",
    "chown",
    "copyFile",
    "cp",
    "lchmod",
    "lchown",
    "link",
    "lutimes",
    "mkdir",
    "mkdtemp",
  ],
  ...["rename", "rm", "rmdir", "symlink", "truncate", "unlink", "utimes", "writeFile"],
];

/** Functions of two paths: both are written, but for what `copyFile` reads. */
const OF_TWO_PATHS = new Set(["copyFile", "cp", "link", "rename", "symlink"]);

/**
 * Records what is asked of Node itself: files, processes, connections, names of hosts.
 *
 * @param current says whether an await is under way: nothing else is described
 */
export function recordBoundary(current: () => Frame | undefined, touched: Touched): void {
  const watch = (object: Functions, name: string, describe: Describe): void => {
    const before = object[name];
    if (typeof before !== "function") return;
    object[name] = new Proxy(before, {
      apply(target, self, values: unknown[]) {
        const frame = current();
        if (frame !== undefined)
          described(values, describe, (it) => {
            touched(frame, it);
          });
        return Reflect.apply(target, self, values) as unknown;
      },
    });
  };
  for (const object of [fs as unknown as Functions, fs.promises as unknown as Functions]) {
    for (const name of READS) watch(object, name, ([path]) => [`fs read ${pathOf(path)}`]);
    for (const name of WRITES) watch(object, name, (values) => written(name, values));
    watch(object, "open", ([path, flags]) => {
      const writes = typeof flags === "string" && /[wa+]/.test(flags);
      return [`fs ${writes ? "write" : "read"} ${pathOf(path)}`];
    });
  }
  watch(ChildProcess.prototype as unknown as Functions, "spawn", ([options]) => {
    const { file } = (options ?? {}) as { file?: unknown };
    return [`process ${typeof file === "string" ? basename(file) : ""}`];
  });
  watch(Socket.prototype as unknown as Functions, "connect", (values) => [
    `connect ${addressOf(values)}`,
  ]);
  for (const object of [dns as unknown as Functions, dns.promises as unknown as Functions]) {
    watch(object, "lookup", ([host]) => [`dns ${String(host)}`]);
  }
  syncBuiltinESMExports();
}

function described(
  values: readonly unknown[],
  describe: Describe,
  each: (operation: string) => void,
): void {
  try {
    for (const operation of describe(values)) each(operation);
  } catch {
    // What cannot be described is not recorded; the call is as before.
  }
}

function written(name: string, values: readonly unknown[]): string[] {
  const paths = values.slice(0, OF_TWO_PATHS.has(name) ? 2 : 1);
  return paths.map((path) => {
    const isRead = name === "copyFile" && path === values[0];
    return `fs ${isRead ? "read" : "write"} ${pathOf(path)}`;
  });
}

/** A path relative to the project; of what is outside of it, only that. */
function pathOf(value: unknown): string {
  const text =
    value instanceof URL ? fileURLToPath(value) : Buffer.isBuffer(value) ? String(value) : value;
  if (typeof text !== "string") return "(open file)";
  const path = relative(process.cwd(), resolve(text)).split(sep).join("/");
  return path.startsWith("..") || isAbsolute(path) ? "(outside)" : maskPath(path) || ".";
}

/** Where a socket connects to. */
function addressOf([first, second]: readonly unknown[]): string {
  // Node itself hands over what it has made of the arguments, in a list.
  const value = Array.isArray(first) ? (first[0] as unknown) : first;
  if (typeof value === "object" && value !== null) {
    const {
      host = "localhost",
      port,
      path,
    } = value as { host?: string; port?: number; path?: string };
    return path === undefined ? `${host}:${port ?? ""}` : "(local socket)";
  }
  if (typeof value === "string" && Number.isNaN(Number(value))) return "(local socket)";
  return `${typeof second === "string" ? second : "localhost"}:${String(value)}`;
}
