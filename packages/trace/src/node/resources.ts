import { executionAsyncId, type HookCallbacks } from "node:async_hooks";

import { type Recording, repeats, type ResourceTypes } from "./recording.js";

/** Is told what the hooks of resources see. */
export interface ResourceListener {
  /** A callback of the host begins or ends. */
  timePasses(): void;
  /** Nothing of the program runs at this time, but for its microtasks. */
  between(time: number): void;
}

/**
 * Callbacks of `async_hooks` that record resources: timers, sockets, requests, and promises, too, where nothing else
 * keeps those away.
 */
export function resourceHooks(
  recording: Recording,
  types: ResourceTypes,
  listener: ResourceListener,
): HookCallbacks {
  const { writer, sites, now, own } = recording;
  let depth = 0;
  return {
    init(id, name, trigger, resource) {
      if (recording.ours) {
        own.add(id);
        return;
      }
      // It may write a definition, so it comes before what belongs to the registration.
      const type = types.number(name);
      sites.sample();
      if (repeats(resource)) writer.recurring();
      if (trigger === executionAsyncId()) writer.init(type, id);
      else writer.initTriggered(type, id, trigger);
    },
    before(id) {
      if (own.has(id)) return;
      if (id > writer.lastResource) {
        // Whoever made it has not said so.
        writer.root();
        writer.init(types.number("unknown"), id);
      }
      depth++;
      listener.timePasses();
      writer.beginResource(id, now());
    },
    after(id) {
      if (own.has(id) || depth === 0) return;
      listener.timePasses();
      const time = now();
      writer.end(time);
      if (--depth === 0) listener.between(time);
    },
  };
}
