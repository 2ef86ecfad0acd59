import { once } from "node:events";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";

import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import { FolderWatcher } from "./folder-watcher.js";
import type { Interrupts } from "./interrupts.js";
import { OptimizedCopy } from "./optimize-copy.js";
import { sayCopied, sayLeftOut, wholeOf } from "./optimize-files.js";
import { shown } from "./optimize-places.js";
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
  const { from, isFolder } = copy.places;
  const watcher = new FolderWatcher((path) => path !== from && copy.places.isLeft(path));
  // An editor may put another file in the place of one, but not another folder.
  const end = watcher.gone(isFolder ? from : dirname(from), interrupts.signal);
  watcher.add(from);
  const ready = Promise.race([once(watcher, "ready"), end]);
  const queue = new Queue(writeAll(ready, copy, work, interrupts));
  const written = queue.for((file) => writeAgain(copy, work, file));
  const removed = queue.for((file) => {
    copy.remove(file);
    return "removed";
  });
  watcher.follow(written, removed);
  try {
    await queue.last;
    await end;
    await queue.last;
    if (!interrupts.happened()) throw gone(copy, work);
    return 0;
  } finally {
    queue.close();
    await watcher.close();
  }
}

/** Takes away what was written, since all files are gone. */
function gone(copy: OptimizedCopy, { input }: OptimizeInvocation): HeadstartError {
  copy.removeAll();
  return new HeadstartError(
    `${input} is gone, and so is what was written for it; watch again once it is back`,
  );
}

/** Does something for a file, and says what in a word. */
type Step = (file: string) => Promise<string> | string;

/** What is to be done for files, one after the other. */
class Queue {
  last: Promise<unknown>;
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  /** @param first What comes first. */
  constructor(first: Promise<unknown>) {
    this.last = first;
  }

  /** What does something for a file once that has settled; what was to be done for it before is left out. */
  for(step: Step): (file: string) => void {
    return (file) => {
      const next = () => attempt(file, step);
      const settled = () => {
        this.last = this.last.then(next, next);
      };
      clearTimeout(this.#waiting.get(file));
      this.#waiting.set(file, setTimeout(settled, SETTLED_MS));
    };
  }

  /** Leaves out what has not settled. */
  close(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }
}

/** The first round: all files, with the watcher at work, so that nothing is missed meanwhile. */
async function writeAll(
  ready: Promise<unknown>,
  copy: OptimizedCopy,
  work: OptimizeInvocation,
  interrupts: Interrupts,
): Promise<void> {
  const files = copy.places.files();
  await sayLeftOut(copy.places);
  await ready;
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
): Promise<string> {
  const whole = await wholeOf(copy, work);
  const copied = await copy.update(file, { known: whole.get(file) });
  await sayCopied(copied, work);
  return copied.isLeftOut ? "left out" : "written";
}

/** Says what was done for a file; what goes wrong is said, too, and the watch goes on. */
async function attempt(file: string, step: Step): Promise<void> {
  const name = shown(file);
  try {
    const done = await step(file);
    await print(`${name}: ${done}\n`);
  } catch (error) {
    // A file may be gone again before it is read.
    await printError(`error: ${name}: ${messageOf(error)}\n`);
  }
}
