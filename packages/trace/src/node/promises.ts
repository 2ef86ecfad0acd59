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

/** Records promises from now on. */
export function recordPromises({ writer, sites, now }: Recording): PromiseRecorder {
  const plain = writer.defineType("promise", TypeFlag.PROMISE_SPACE | TypeFlag.MICROTASK);
  const reaction = writer.defineType("reaction", TypeFlag.PROMISE_SPACE | TypeFlag.MICROTASK);
  let unclear = true;
  const stop = promiseHooks.createHook({
    // Node's types do not say so, but without a promise to chain it on, there is no parent.
    init(promise: object, parent: object | undefined) {
      if (parent === undefined) {
        sites.sampleSeldom();
        new Stamp(promise, writer.initPromise(plain));
      } else {
        sites.sample();
        new Stamp(promise, writer.initReaction(reaction, Stamp.of(parent)));
      }
    },
    before(promise: object) {
      const id = Stamp.of(promise) || unknown(promise);
      if (unclear) writer.beginPromise(id, now());
      else writer.beginPromiseNow(id);
      unclear = false;
    },
    after() {
      writer.end(now());
    },
  }) as () => void;

  /** A promise from before the recording. */
  function unknown(promise: object): number {
    writer.root();
    const id = writer.initReaction(reaction, 0);
    new Stamp(promise, id);
    return id;
  }

  return {
    timePasses() {
      unclear = true;
    },
    stop,
  };
}
