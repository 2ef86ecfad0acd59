import { executionAsyncId, type HookCallbacks } from "node:async_hooks";

import { isOwn, type Recording, repeats, type ResourceTypes } from "./recording.js";

/** Is told what the hooks of resources see. */
export interface ResourceListener {
  /** A callback of the host begins or ends. */
  timePasses(): void;
  /** Nothing of the program runs at this time, but for its microtasks. */
  between(time: number): void;
}

/**
 * Callbacks of `async_hooks` that record resources: timers, sockets, requests, and promises, too, where nothing else
 * keeps those away. None of them throws, which would end the program: where its recursion has used up the stack, what
 * happens is left out.
 */
export function resourceHooks(
  recording: Recording,
  types: ResourceTypes,
  listener: ResourceListener,
): HookCallbacks {
  const { writer } = recording;
  const hooks = new ResourceHooks(recording, types, listener);
  // What has begun inside of something that was left out, with that.
  let leftOut = 0;
  return {
    init(id, name, trigger, resource) {
      try {
        hooks.init(id, name, trigger, resource);
      } catch {
        writer.undo();
      }
    },
    before(id) {
      try {
        if (leftOut > 0) leftOut++;
        else hooks.before(id);
      } catch {
        writer.undo();
        leftOut = 1;
      }
    },
    after(id) {
      try {
        if (leftOut > 0) leftOut--;
        else hooks.after(id);
      } catch {
        writer.undo();
      }
    },
  };
}

class ResourceHooks {
  private depth = 0;
  /** What has ended, but could not be said to. */
  private unended = 0;

  constructor(
    private readonly recording: Recording,
    private readonly types: ResourceTypes,
    private readonly listener: ResourceListener,
  ) {}

  init(id: number, name: string, trigger: number, resource: object): void {
    const { own, ours, sites, writer } = this.recording;
    if (ours) {
      own[0] = own[1];
      own[1] = id;
      return;
    }
    writer.mark();
    // It may write a definition, so it comes before what belongs to the registration.
    const type = this.types.number(name);
    sites.sample();
    if (repeats(resource)) writer.recurring();
    if (trigger === executionAsyncId()) writer.init(type, id);
    else writer.initTriggered(type, id, trigger);
  }

  before(id: number): void {
    const { writer, now } = this.recording;
    if (isOwn(this.recording, id)) return;
    if (this.unended > 0) this.end();
    writer.mark();
    if (id > writer.lastResource) {
      // Whoever made it has not said so.
      writer.root();
      writer.init(this.types.number("unknown"), id);
    }
    this.listener.timePasses();
    writer.beginResource(id, now());
    this.depth++;
  }

  after(id: number): void {
    if (this.depth === 0 || isOwn(this.recording, id)) return;
    this.depth--;
    this.unended++;
    const time = this.end();
    if (this.depth === 0) this.listener.between(time);
  }

  private end(): number {
    const { writer, now } = this.recording;
    this.listener.timePasses();
    const time = now();
    for (; this.unended > 0; this.unended--) {
      writer.mark();
      writer.end(time);
    }
    return time;
  }
}
