import { type AsyncHook, AsyncResource, createHook } from "node:async_hooks";
import { openSync } from "node:fs";
import { basename } from "node:path";
import { isMainThread, threadId } from "node:worker_threads";

import { UNITS_PER_MS } from "../format/layout.js";
import { ThreadWriter } from "../format/thread-writer.js";
import * as own from "../own.js";
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

/** Records the thread that calls it until that ends. `recorder` is the file that its code stands in. */
export function recordThread(options: ThreadOptions, recorder: string): void {
  const now = clockSince(options.started);
  const program = new AsyncResource("program").asyncId();
  const writer = new ThreadWriter(openSync(options.file, "a"), threadNumber(), now(), program - 1);
  const sites = new Sites(writer, options.sites, recorder);
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
  const flusher = new Flusher(recording);
  const callbacks = resourceHooks(recording, types, {
    timePasses: () => promises?.timePasses(),
    between(time) {
      flusher.between(time);
    },
  });
  const apart = keepsPromisesAway();
  // Node's types do not know the option yet.
  const hook = createHook({ ...callbacks, ...(apart ? { trackPromises: false } : {}) }).enable();
  flusher.start(hook);
  process.nextTick(() => {
    // What a program does before its first wait is over.
    writer.end(now());
  });
  recording.ours = false;
  // Nothing but promises may come to run for long: what settles them has no hook, then.
  const promises = apart
    ? recordPromises(recording, () => {
        flusher.makeDue();
      })
    : undefined;
  flusher.promises = promises;
}

/** Writes what there is some time after there is something. */
class Flusher {
  promises: PromiseRecorder | undefined;
  private hook: AsyncHook | undefined;
  private timer: NodeJS.Timeout | undefined;
  private flushed: number;
  private isDue = false;

  constructor(private readonly recording: Recording) {
    this.flushed = recording.now();
  }

  start(hook: AsyncHook): void {
    this.hook = hook;
    this.timer = setTimeout(this.flush, FLUSH_INTERVAL).unref();
    process.on("exit", this.flush);
  }

  between(time: number): void {
    if (time - this.flushed > FLUSH_INTERVAL * UNITS_PER_MS) this.flush();
    this.makeDue();
  }

  /**
   * There is something to write. Without, there is no timer: a program whose stack was used up while it made one would
   * not end as long as there is any (Node counts that one).
   */
  makeDue(): void {
    if (this.isDue || this.timer === undefined) return;
    this.isDue = true;
    this.recording.ours = true;
    own.refresh(this.timer);
    this.recording.ours = false;
  }

  private readonly flush = (): void => {
    const { now, writer } = this.recording;
    this.flushed = now();
    this.isDue = false;
    writer.flush();
    this.promises?.timePasses();
    if (writer.failure !== undefined) this.giveUp(writer.failure);
  };

  /** Ends the recording, not the program. */
  private giveUp(failure: Error): void {
    this.hook?.disable();
    this.promises?.stop();
    if (this.timer === undefined) return;
    this.timer = undefined;
    process.off("exit", this.flush);
    try {
      own.write(2, `headstart: the trace ends here, it cannot be written: ${failure.message}\n`);
    } catch {
      // The program has closed that, too.
    }
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
