import { AsyncResource, createHook } from "node:async_hooks";
import { openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";

import { UNITS_PER_MS } from "../format/layout.js";
import { ThreadWriter } from "../format/thread-writer.js";
import { clockSince } from "./clock.js";
import { type PromiseRecorder, recordPromises } from "./promises.js";
import { FLUSH_INTERVAL, type Recording, ResourceTypes } from "./recording.js";
import { resourceHooks } from "./resources.js";
import { type SiteMode, Sites } from "./sites.js";

/** What the recorder of a thread is told. */
export interface ThreadOptions {
  /** The trace, which is there already. */
  readonly file: string;
  /** When the recording began, in milliseconds since 1970. */
  readonly started: number;
  readonly sites: SiteMode;
}

/** Records the thread that calls it until that ends. `own` is the file that the recorder's code stands in. */
export function recordThread(options: ThreadOptions, own: string): void {
  const now = clockSince(options.started);
  const program = new AsyncResource("program").asyncId();
  const writer = new ThreadWriter(openSync(options.file, "a"), threadNumber(), now(), program - 1);
  const sites = new Sites(writer, options.sites, own);
  const recording: Recording = { writer, sites, now, own: [0, 0], ours: true };
  writer.describe(threadName());
  const types = new ResourceTypes(writer);
  writer.init(types.number("program"), program);
  writer.beginResource(program, now());
  // Whatever ends the program right away, there is something of it.
  writer.flush();
  start(recording, types);
}

/** Starts the hooks, and what writes from time to time. */
function start(recording: Recording, types: ResourceTypes): void {
  const { writer, now } = recording;
  let promises: PromiseRecorder | undefined;
  let flushed = now();
  const flush = (): void => {
    flushed = now();
    isDue = false;
    writer.flush();
    promises?.timePasses();
    if (writer.failure !== undefined) giveUp(writer.failure);
  };
  // Only while there is something to write: a program whose stack was used up while it made a timer would not end as
  // long as there is any timer at all (Node counts that one).
  let isDue = false;
  const callbacks = resourceHooks(recording, types, {
    timePasses: () => promises?.timePasses(),
    between(time) {
      if (time - flushed > FLUSH_INTERVAL * UNITS_PER_MS) flush();
      if (isDue) return;
      isDue = true;
      recording.ours = true;
      timer.refresh();
      recording.ours = false;
    },
  });
  const apart = keepsPromisesAway();
  // Node's types do not know the option yet.
  const hook = createHook({ ...callbacks, ...(apart ? { trackPromises: false } : {}) }).enable();
  const timer = setTimeout(flush, FLUSH_INTERVAL).unref();
  process.nextTick(() => {
    // What a program does before its first wait is over.
    writer.end(now());
  });
  recording.ours = false;
  if (apart) promises = recordPromises(recording);
  process.on("exit", flush);

  /** Ends the recording, not the program. */
  function giveUp(failure: Error): void {
    hook.disable();
    promises?.stop();
    process.off("exit", flush);
    writeSync(2, `headstart: the trace ends here, it cannot be written: ${failure.message}\n`);
  }
}

/** Whether this Node can keep promises away from `async_hooks`. */
function keepsPromisesAway(): boolean {
  let seen = false;
  const hook = createHook({
    init() {
      seen = true;
    },
    ...{ trackPromises: false },
  }).enable();
  void Promise.resolve();
  hook.disable();
  return !seen;
}

/** A number that hardly any other thread of a recording has: processes are far from one another, threads of one are not. */
function threadNumber(): number {
  return (Math.imul(process.pid, 0x9e3779b1) + threadId) >>> 0;
}

function threadName(): string {
  const program = [process.argv0, ...process.argv.slice(1).map((it) => basename(it))].join(" ");
  return isMainThread
    ? `process ${process.pid}, Node ${process.versions.node}: ${program}`
    : `worker ${threadId} of process ${process.pid}`;
}
