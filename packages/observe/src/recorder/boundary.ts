import child_process, { ChildProcess } from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import threads from "node:worker_threads";

import type { Frame } from "./frames.js";
import type { Touched } from "./journal.js";
import { maskPath } from "./mask.js";
import { watchSockets } from "./sockets.js";
import { type Methods, safely, wrap } from "./wrap.js";

/** What a call does, from what it is called with, and on. */
export type Describe = (values: readonly unknown[], self: unknown) => readonly string[];
/** Has what a method does described wherever it is called while an await is under way. */
export type Watch = (object: Methods, name: string, describe: Describe) => void;

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

/** Methods of files that are open. */
const WRITES_OF_HANDLES = [
  ...["appendFile", "chmod", "chown", "truncate", "utimes", "write", "writeFile", "writev"],
];
const READS_OF_HANDLES = ["createReadStream", "read", "readFile", "readLines", "readv"];

/** Methods of two paths: both are written, but for what `copyFile` reads. */
const OF_TWO_PATHS = new Set(["copyFile", "cp", "link", "rename"]);

/** The folder of the program: paths in it are named, others are not. */
let root = process.cwd();

/**
 * Records what is asked of Node itself: files, processes, connections, names of hosts.
 *
 * @param project the folder of the program
 * @returns what watches other methods in the same manner
 * @param current says whether an await is under way: nothing else is described
 */
export function recordBoundary(
  project: string,
  current: () => Frame | undefined,
  touched: Touched,
): Watch {
  root = project;
  const watch: Watch = (object, name, describe) => {
    wrap(object, name, (target, self, values) => {
      safely(() => {
        const frame = current();
        if (frame === undefined) return;
        for (const operation of describe(values, self)) touched(frame, operation);
      });
      return Reflect.apply(target, self, values) as unknown;
    });
  };
  watchFiles(watch);
  watchOpenFiles(watch);
  watchProcesses(watch);
  watchSockets(watch);
  syncBuiltinESMExports();
  return watch;
}

function watchFiles(watch: Watch): void {
  for (const object of [fs as unknown as Methods, fs.promises as unknown as Methods]) {
    // What `promises` has none of is not there to be watched.
    for (const end of ["", "Sync"]) {
      for (const name of READS)
        watch(object, name + end, ([path, options]) => [
          `fs ${writes(flagIn(options)) ? "write" : "read"} ${pathOf(path)}`,
        ]);
      for (const name of WRITES) watch(object, name + end, (values) => written(name, values));
      watch(object, `open${end}`, ([path, flags]) => [
        `fs ${writes(flags) ? "write" : "read"} ${pathOf(path)}`,
      ]);
    }
  }
}

/** What is written to files that were opened before; the output of the process is none of them. */
function watchOpenFiles(watch: Watch): void {
  const described: Describe = ([file]) =>
    file === 1 || file === 2 ? [] : ["fs write (open file)"];
  for (const name of ["fchmod", "fchown", "ftruncate", "futimes", "write", "writev"])
    for (const end of ["", "Sync"]) watch(fs, name + end, described);
  let isWatched = false;
  wrap(fs.promises, "open", async (target, self, values) => {
    const handle = (await Reflect.apply(target, self, values)) as object;
    // Nothing else leads to what all handles have in common.
    if (!isWatched) {
      const shared = Object.getPrototypeOf(handle) as Methods;
      for (const name of WRITES_OF_HANDLES) watch(shared, name, () => ["fs write (open file)"]);
      // What is read next depends on what was read before.
      for (const name of READS_OF_HANDLES) watch(shared, name, () => ["fs position (open file)"]);
    }
    isWatched = true;
    return handle;
  });
}

/** Whether a file that is opened so may be written: a text as in `fopen`, or bits as in `open` (2). */
function writes(flags: unknown): boolean {
  const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;
  const written = O_APPEND | O_CREAT | O_RDWR | O_TRUNC | O_WRONLY;
  if (typeof flags === "number") return (flags & written) !== 0;
  return typeof flags === "string" && /[wa+]/.test(flags);
}

/** The option of `readFile` and the like that says how the file is opened. */
function flagIn(options: unknown): unknown {
  return (options as { readonly flag?: unknown } | null | undefined)?.flag;
}

function watchProcesses(watch: Watch): void {
  const name = (file: unknown): string => (typeof file === "string" ? basename(file) : "");
  const shell = (options: readonly unknown[]): boolean =>
    options.some((it) => Boolean((it as { shell?: unknown } | null | undefined)?.shell));
  const children = ChildProcess.prototype as unknown as Methods;
  watch(children, "spawn", ([options]) => [
    `process ${name((options as { file?: unknown } | undefined)?.file)}`,
  ]);
  watchMessages(children, watch);
  const all = child_process as unknown as Methods;
  // Its command line may hold anything.
  watch(all, "execSync", () => ["process (shell)"]);
  for (const each of ["execFileSync", "spawnSync"])
    watch(all, each, ([file, ...options]) => [
      shell(options) ? "process (shell)" : `process ${name(file)}`,
    ]);
  for (const each of [children, process as unknown as Methods])
    watch(each, "kill", () => ["message process"]);
  watch(process as unknown as Methods, "chdir", () => ["process state"]);
}

/** Messages to other processes and threads; those of a thread to the one that has made it, or of a process, are its output. */
function watchMessages(children: Methods, watch: Watch): void {
  // A process has `send` of its own, once it runs.
  wrap(children, "spawn", (target, self: Methods, values) => {
    const result: unknown = Reflect.apply(target, self, values);
    watch(self, "send", () => ["message process"]);
    return result;
  });
  const message: Describe = (_, self) => (self === threads.parentPort ? [] : ["message thread"]);
  for (const each of [threads.Worker, threads.MessagePort, threads.BroadcastChannel])
    watch(each.prototype as unknown as Methods, "postMessage", message);
  // It has what it is handed from the start.
  const all = threads as unknown as Record<string, typeof threads.Worker>;
  watchNew(all, "Worker", watch);
}

function watchNew(all: Record<string, typeof threads.Worker>, name: string, watch: Watch): void {
  const before = all[name];
  if (before === undefined) return;
  const made = { made: (): void => undefined };
  watch(made, "made", () => ["message thread"]);
  all[name] = new Proxy(before, {
    construct(target, values, as) {
      made.made();
      return Reflect.construct(target, values, as) as object;
    },
  });
}

function written(name: string, values: readonly unknown[]): string[] {
  // What a link leads to stays what it is.
  const [first, end] = name === "symlink" ? [1, 2] : [0, OF_TWO_PATHS.has(name) ? 2 : 1];
  const paths = values.slice(first, end);
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
  const path = relative(root, resolve(text)).split(sep).join("/");
  return path.startsWith("..") || isAbsolute(path) ? "(outside)" : maskPath(path) || ".";
}
