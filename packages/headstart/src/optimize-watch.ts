import { once } from "node:events";
import { relative } from "node:path";
import { setImmediate } from "node:timers/promises";

// `fs.watch` of Node loses a file on Linux once an editor has put another in its place.
import { type FSWatcher, watch } from "chokidar";

import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import type { Interrupts } from "./interrupts.js";
import { OptimizedCopy } from "./optimize-copy.js";
import { sayCopied, wholeOf } from "./optimize-files.js";
import { print, printError } from "./terminal.js";

/**
 * How long after a change a file is read. The watcher says nothing of changes that follow another
 * within 50 ms, and what is being written should be whole.
 */
const SETTLED_MS = 60;

/** Carries `optimize --watch` out: one changed file after the other, until an interrupt comes. */
export async function watchFiles(
  work: OptimizeInvocation,
  interrupts: Interrupts,
): Promise<number> {
  const copy = new OptimizedCopy(work);
  const watcher = watch(copy.from, {
    ignoreInitial: true,
    // What they lead to is none of the folder's.
    followSymlinks: false,
    ignored: (path, stats) =>
      stats?.isDirectory() === true && path !== copy.from && copy.isLeft(path),
  });
  let last: Promise<unknown> = writeAll(watcher, copy, work, interrupts);
  const waiting = new Map<string, NodeJS.Timeout>();
  const enqueue = (done: string, step: (file: string) => Promise<void>) => (file: string) => {
    const next = () => attempt(file, done, step);
    const settled = () => {
      last = last.then(next, next);
    };
    clearTimeout(waiting.get(file));
    waiting.set(file, setTimeout(settled, SETTLED_MS));
  };
  const write = (file: string) => writeAgain(copy, work, file);
  const update = enqueue("written", write);
  watcher.on("add", update).on("change", update);
  const remove = (file: string) => {
    copy.remove(file);
    return Promise.resolve();
  };
  watcher.on("unlink", enqueue("removed", remove));
  try {
    await last;
    if (!interrupts.happened()) await once(interrupts.signal, "abort");
    await last;
    return 0;
  } finally {
    await watcher.close();
  }
}

/** The first round: all files, with the watcher at work, so that nothing is missed meanwhile. */
async function writeAll(
  watcher: FSWatcher,
  copy: OptimizedCopy,
  work: OptimizeInvocation,
  interrupts: Interrupts,
): Promise<void> {
  const files = copy.files();
  await once(watcher, "ready");
  const whole = await wholeOf(copy, work);
  for (const file of files) {
    await sayCopied(await copy.update(file, { known: whole.get(file) }), work);
    // Signals come between turns of the event loop only.
    await setImmediate();
    if (interrupts.happened()) return;
  }
  await print(`${String(files.length)} files written; watching for changes\n`);
}

/** Writes a file that has changed: what the others show of it may have changed, too. */
async function writeAgain(
  copy: OptimizedCopy,
  work: OptimizeInvocation,
  file: string,
): Promise<void> {
  const whole = await wholeOf(copy, work);
  await sayCopied(await copy.update(file, { known: whole.get(file) }), work);
}

/** Says what was done for a file; what goes wrong is said, too, and the watch goes on. */
async function attempt(
  file: string,
  done: string,
  step: (file: string) => Promise<void>,
): Promise<void> {
  const name = relative(process.cwd(), file);
  try {
    await step(file);
    await print(`${name}: ${done}\n`);
  } catch (error) {
    // A file may be gone again before it is read.
    await printError(`error: ${name}: ${messageOf(error)}\n`);
  }
}
