import { ChildProcess } from "node:child_process";
import dns from "node:dns";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { maskPath } from "./mask.js";

type Note = (operation: string) => void;
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

/** Records what is asked of Node itself: files, processes, connections, names of hosts. */
export function recordBoundary(note: Note): void {
  for (const object of [fs as unknown as Functions, fs.promises as unknown as Functions]) {
    for (const name of READS)
      watch(object, name, ([path]) => {
        note(`fs read ${pathOf(path)}`);
      });
    for (const name of WRITES) {
      watch(object, name, (values) => {
        // Those of two paths, the second one is written.
        for (const path of values.slice(
          0,
          /^(?:copyFile|cp|link|rename|symlink)$/.test(name) ? 2 : 1,
        )) {
          note(
            `fs ${name === "copyFile" && path === values[0] ? "read" : "write"} ${pathOf(path)}`,
          );
        }
      });
    }
    watch(object, "open", ([path, flags]) => {
      note(
        `fs ${typeof flags === "string" && /[wa+]/.test(flags) ? "write" : "read"} ${pathOf(path)}`,
      );
    });
  }
  watch(ChildProcess.prototype as unknown as Functions, "spawn", ([options]) => {
    const { file } = (options ?? {}) as { file?: unknown };
    note(`process ${typeof file === "string" ? basename(file) : ""}`);
  });
  watch(Socket.prototype as unknown as Functions, "connect", (values) => {
    note(`connect ${addressOf(values)}`);
  });
  for (const object of [dns as unknown as Functions, dns.promises as unknown as Functions]) {
    watch(object, "lookup", ([host]) => {
      note(`dns ${String(host)}`);
    });
  }
  syncBuiltinESMExports();
}

/** Has a function say what it is called with, and do as before. */
function watch(object: Functions, name: string, told: (values: readonly unknown[]) => void): void {
  const before = object[name];
  if (typeof before !== "function") return;
  object[name] = new Proxy(before, {
    apply(target, self, values: unknown[]) {
      try {
        told(values);
      } catch {
        // What cannot be described is not recorded; the call is as before.
      }
      return Reflect.apply(target, self, values) as unknown;
    },
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
