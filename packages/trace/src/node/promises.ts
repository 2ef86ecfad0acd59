import { promiseHooks } from "node:v8";

import { TypeFlag } from "../format/layout.js";
import type { Recording } from "./recording.js";
import { Stamp } from "./stamp.js";

/** Promises that are recorded by V8's own hooks, which take half of the time of those of `async_hooks`. */
export interface PromiseRecorder {
  /** To be called at everything else that is recorded: time may have passed since the last record. */
  timePasses(): void;
  stop(): void;
}

/** Records promises from now on; `ran` is told of each that has run. Where the program's recursion has used up the stack, what happens is left out. */
export function recordPromises(recording: Recording, ran: () => void): PromiseRecorder {
  const { writer, now } = recording;
  const hooks = new PromiseHooks(recording);
  let unclear = true;
  const stop = promiseHooks.createHook({
    // Node's types do not say so, but without a promise to chain it on, there is no parent.
    init(promise: object, parent: object | undefined) {
      try {
        hooks.init(promise, parent);
      } catch {
        writer.undo();
      }
    },
    before(promise: object) {
      const id = Stamp.of(promise) || hooks.unknown(promise);
      if (unclear) writer.beginPromise(id, now());
      else writer.beginPromiseNow(id);
      unclear = false;
    },
    after() {
      writer.end(now());
      ran();
    },
  }) as () => void;
  return {
    timePasses() {
      unclear = true;
    },
    stop,
  };
}

class PromiseHooks {
  private readonly plain: number;
  private readonly reaction: number;

  constructor(private readonly recording: Recording) {
    const flags = TypeFlag.PROMISE_SPACE | TypeFlag.MICROTASK;
    this.plain = recording.writer.defineType("promise", flags);
    this.reaction = recording.writer.defineType("reaction", flags);
  }

  init(promise: object, parent: object | undefined): void {
    const { writer, sites } = this.recording;
    writer.mark();
    if (parent === undefined) {
      sites.sampleSeldom();
      new Stamp(promise, writer.initPromise(this.plain));
    } else {
      sites.sample();
      new Stamp(promise, writer.initReaction(this.reaction, Stamp.of(parent)));
    }
  }

  /** A promise from before the recording, or one that was left out. */
  unknown(promise: object): number {
    const { writer } = this.recording;
    writer.root();
    const id = writer.initReaction(this.reaction, 0);
    new Stamp(promise, id);
    return id;
  }
}
