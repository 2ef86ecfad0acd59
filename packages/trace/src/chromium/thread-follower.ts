import type { Cause, Listener, Place, Registration } from "./continuations.js";
import { Phase, type TrackEvent } from "./decoded-event.js";
import {
  type Announced,
  handleInstant,
  type InstantListener,
  type Mark,
  sampleOf,
} from "./instants.js";
import { HELPER_FILE, LISTENER } from "./helper.js";
import type { Pass } from "./pass.js";
import { placeOf, placeOfFrame } from "./places.js";
import { Ports } from "./ports.js";
import { Registrations } from "./registrations.js";
import { contextType, keyOf, numberOf, Slice, SLICE_KINDS, Sort, typeOf } from "./slice-kinds.js";

/** A slice that has begun and not ended. */
interface Open {
  readonly kind: number;
  /** The type of an entry inside. */
  readonly type: string;
  readonly registration: Registration | undefined;
  /** The key of what may have caused what is inside, or 0. */
  readonly key: number;
  /** How many continuations have to run for nothing to run, before it began. */
  readonly base: number;
}

/** A key that all first scripts of workers have; whose it is shows by the thread. */
export const WORKER_STARTS = keyOf(Sort.WORKER, 0);

/**
 * Follows the events of one thread, and tells which continuations run and what they register. A continuation is an
 * outermost call of the host into JavaScript, or a microtask; in the timing pass, all microtasks of a checkpoint.
 */
export class ThreadFollower implements InstantListener {
  private readonly kinds: ReadonlyMap<string, number>;
  private readonly isTopology: boolean;
  private readonly open: Open[] = [];
  /** What runs: how many slices are open around each, or -1 for what ends with the next microtask. */
  private readonly frames: number[] = [];
  /** How many run outside of the innermost checkpoint. */
  private base = 0;
  private checkpoints = 0;
  private readonly registrations: Registrations;
  private readonly ports: Ports;
  /** Whether an entry has ended whose microtasks have not run yet. */
  private hasEnded = false;
  /** When the last microtask ended, or the checkpoint began. */
  private since = 0;
  /** What the last task was caused by: microtasks may run after it. */
  private task: { key: number; registration?: Registration; received: number };
  /** What has just run: V8 cancels that, too, which cancels nothing. */
  private justRan: Registration | undefined;
  private announced: Announced | undefined;

  constructor(
    pass: Pass,
    thread: number,
    private readonly listener: Listener,
  ) {
    this.ports = new Ports(thread, listener);
    this.registrations = new Registrations(thread);
    this.kinds = SLICE_KINDS[pass];
    this.isTopology = pass === "topology";
    this.task = { key: 0, received: 0 };
  }

  /** Takes the next event of the thread. */
  event(event: TrackEvent): void {
    if (event.phase === Phase.BEGIN) this.begin(event);
    else if (event.phase === Phase.END) this.end(event.time);
    else handleInstant(this, event);
  }

  /** Events are missing: what runs ends, as far as anybody knows. */
  lost(time: number): void {
    while (this.frames.length > 0) this.leave(time);
    this.open.length = 0;
    this.base = 0;
    this.checkpoints = 0;
    this.hasEnded = false;
  }

  private begin(event: TrackEvent): void {
    let kind = this.kinds.get(event.name) ?? Slice.OTHER;
    const place = kind === Slice.ENTRY ? placeOf(event) : undefined;
    // What the helper listens to is nothing of the page.
    if (place?.file === HELPER_FILE && place.name === LISTENER) kind = Slice.OTHER;
    const key = this.keyOfSlice(kind, event);
    if (kind === Slice.TASK) this.beginTask(key);
    if (kind !== Slice.CANCELED) this.justRan = undefined;
    const flow = event.flows[0] ?? event.ends[0] ?? 0;
    const registration = kind === Slice.RUN ? this.registrations.of(flow) : undefined;
    const type = contextType(kind, event);
    this.open.push({ kind, type, registration, key, base: this.base });
    if (kind === Slice.ENTRY) this.enter(event.time, place);
    else if (kind === Slice.RUN) this.run(registration, event.time);
    else if (kind === Slice.CHECKPOINT) this.checkpoint(event.time);
    else if (kind === Slice.SCHEDULED) this.scheduled(flow, event);
    else if (kind === Slice.CANCELED) this.canceled(flow);
  }

  private end(time: number): void {
    const slice = this.open.pop();
    if (slice === undefined) return;
    if (slice.kind === Slice.RUN) this.justRan = slice.registration;
    if (slice.kind === Slice.COPY && slice.key !== 0) this.ports.hasCopied(slice.key);
    if (slice.kind === Slice.TASK && this.frames.length === 0) this.ports.end(time);
    if (slice.kind === Slice.CHECKPOINT) {
      this.checkpoints--;
      while (this.isTopology && this.frames.length > this.base) this.leave(time);
      this.base = slice.base;
    }
    if (this.frames.at(-1) === this.open.length) this.leave(time);
  }

  private keyOfSlice(kind: number, event: TrackEvent): number {
    const flow = event.flows[0] ?? event.ends[0] ?? 0;
    if (kind === Slice.TASK) return keyOf(Sort.TASK, flow);
    if (kind === Slice.MESSAGE) return keyOf(Sort.MESSAGE, flow);
    if (kind === Slice.RECEIPT) return keyOf(Sort.RECEIPT, flow);
    if (kind === Slice.RUN) return this.registrations.keyOf(this.registrations.of(flow));
    if (kind === Slice.COPY && this.frames.length > 0) return this.ports.copy(event.time);
    return kind === Slice.PORT ? this.ports.handle(event.time) : 0;
  }

  private beginTask(key: number): void {
    if (this.frames.length > 0) return;
    this.listener.task();
    this.hasEnded = false;
    this.task = { key, received: 0 };
    this.ports.begin(key);
  }

  private get isIdle(): boolean {
    return this.frames.length === this.base;
  }

  private enter(time: number, place: Place | undefined): void {
    if (!this.isIdle) return;
    const cause = this.cause();
    this.frames.push(this.open.length - 1);
    this.listener.begin(cause, time, place);
  }

  private leave(time: number): void {
    this.ports.rest();
    this.frames.pop();
    this.listener.end(time);
    this.since = time;
    if (this.frames.length === 0 && this.checkpoints === 0) this.hasEnded = true;
  }

  /** Why an entry is made here. */
  private cause(): Cause {
    const { received } = this.task;
    const keys = received === 0 ? [] : [received];
    let type = "";
    let found: Registration | undefined;
    for (const slice of this.open.toReversed()) {
      type ||= slice.type;
      if (slice.registration?.microtask === false) found ??= slice.registration;
      if (found === undefined && slice.kind === Slice.CHECKPOINT) {
        return { type: "microtask", unclear: true };
      }
      if (slice.key !== 0 && slice.kind !== Slice.RUN) keys.push(slice.key);
    }
    if (found !== undefined) return { type, registration: found };
    if (type === "script") keys.push(WORKER_STARTS);
    return { type, keys };
  }

  private run(registration: Registration | undefined, time: number): void {
    if (registration === undefined) return;
    if (!registration.microtask) {
      if (this.frames.length === 0) this.task.registration = registration;
      registration.runs++;
      return;
    }
    if (this.frames.length > this.base && this.frames.at(-1) === -1) this.leave(time);
    // A promise runs again when it becomes another one; nothing of the program runs then.
    if (!this.isIdle || registration.runs++ > 0) {
      this.since = time;
      return;
    }
    this.frames.push(this.open.length - 1);
    this.listener.begin({ type: registration.type, registration }, time, undefined);
  }

  private checkpoint(time: number): void {
    this.checkpoints++;
    this.since = time;
    const { hasEnded } = this;
    this.hasEnded = false;
    if (this.isTopology) {
      this.listener.drain(hasEnded || this.frames.length > 0);
      this.base = this.frames.length;
    } else if (this.frames.length === 0) {
      this.listener.drain(hasEnded);
      const cause = hasEnded ? { type: "microtasks", batch: true } : this.causeOfBatch();
      this.frames.push(this.open.length - 1);
      this.listener.begin(cause, time, undefined);
    }
  }

  /** Why microtasks run that no entry comes before: the task that they follow has settled a promise. */
  private causeOfBatch(): Cause {
    const { key, registration, received } = this.task;
    if (registration !== undefined) return { type: "", registration };
    return { type: "", keys: received === 0 ? [key] : [key, received] };
  }

  private scheduled(flow: number, event: TrackEvent): void {
    const { taskName, data } = this.isTopology ? event.arguments() : {};
    const name = typeof taskName === "string" ? taskName : "";
    const { isInterval = false, place } = this.announced ?? {};
    const type = isInterval ? "setInterval" : typeOf(name);
    this.announced = undefined;
    this.appear(event.time);
    const registration = this.registrations.schedule(flow, type);
    this.listener.register(registration, event.time, sampleOf(data), place);
    if (!registration.microtask && this.frames.length > 0) {
      this.listener.send(this.registrations.keyOf(registration));
    }
  }

  private canceled(flow: number): void {
    const registration = this.registrations.of(flow);
    if (registration === undefined) return;
    const isCanceled = registration !== this.justRan;
    // What runs once is not needed any more, but that does not show of what is not a microtask.
    if (isCanceled || registration.microtask) this.registrations.forget(flow);
    if (isCanceled && !registration.microtask) this.listener.cancel(registration);
  }

  /** Something happens that a microtask has to have done, of which nothing says that it runs. */
  private appear(time: number): void {
    if (!this.isTopology || !this.isIdle || this.checkpoints === 0) return;
    this.frames.push(-1);
    const cause = { type: "microtask", unclear: true };
    this.listener.begin(cause, Math.min(this.since, time), undefined);
  }

  sends(key: number, time: number, place?: Place): void {
    const sort = key % 8;
    if (sort === Sort.MESSAGE) this.ports.drop();
    // The browser's own microtasks send messages and tasks, too.
    const isOurs = sort !== Sort.TASK && sort !== Sort.RECEIPT;
    if (isOurs && !this.open.some(({ registration }) => registration !== undefined)) {
      this.appear(time);
    }
    if (this.frames.length > 0) this.listener.send(key, place);
    else this.listener.pass(key, this.around());
  }

  /** The key of what is handled here, while no continuation runs. */
  private around(): number {
    const { key, received } = this.task;
    const inner = this.open.findLast((it) => it.key !== 0 && it.kind !== Slice.TASK);
    return inner?.key ?? (received || key);
  }

  posts(key: number, time: number): void {
    this.sends(key, time);
    if (this.frames.length > 0) this.ports.post(key);
    else this.ports.postIdle(key);
  }

  receives(key: number): void {
    if (this.frames.length > 0) return;
    this.task.received = key;
    this.listener.arrive(key, this.task.key);
  }

  announces(announced: Announced): void {
    this.announced = announced;
  }

  mark({ what, name, text }: Mark, time: number): void {
    if (this.ports.mark(what, name, text)) return;
    if (what === "place") {
      this.announced = text === "" ? undefined : { isInterval: false, place: placeOfFrame(text) };
      return;
    }
    // It is what a microtask does first: what came before was another one.
    if (what === "run" && !this.isIdle && this.frames.at(-1) === -1) this.leave(time);
    this.appear(time);
    if (what === "run") {
      const registration = this.registrations.named(name);
      if (registration !== undefined) this.listener.recall(registration);
    } else if (what === "worker") {
      this.listener.startWorker(keyOf(Sort.WORKER, numberOf(name)), text, time);
    } else {
      const registration = this.registrations.mark(name, what);
      this.listener.register(registration, time, undefined, placeOfFrame(text));
    }
  }
}
