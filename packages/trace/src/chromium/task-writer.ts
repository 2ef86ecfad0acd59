import { TypeFlag, UNITS_PER_MS } from "../format/layout.js";
import type { ThreadWriter } from "../format/thread-writer.js";
import type { Cause, Listener, Place, Registration } from "./continuations.js";
import { type Facts, ownKeys } from "./facts.js";
import type { Links } from "./links.js";
import { isMicrotask, isRecurring, typeOfKey } from "./slice-kinds.js";

/** Nanoseconds of a unit of time in the file. */
const UNIT = 1e6 / UNITS_PER_MS;

/** Something that is to run, with its id in the file once it has been written. */
interface Item {
  readonly type: string;
  readonly microtask: boolean;
  readonly recurring: boolean;
  readonly place: Place | undefined;
  /** A message that it is the receipt of. */
  readonly message?: number;
  /** Whether nothing is its parent. */
  readonly isRoot?: boolean;
  id: number;
}

/** One run. */
interface Run {
  item: Item;
  /** What is found to be registered by it only when it has ended. */
  readonly late: Item[];
  /** What has registered it, if that is of the same task. */
  parent: Run | undefined;
}

/** Messages between threads. */
export interface Messages {
  /** Their numbers by their keys: those of one browser. */
  readonly numbers: Map<number, number>;
  /** The last number that was given out, in either pass. */
  last: number;
}

/** What is known before the second look. */
export interface KnownToWriter {
  /** The number of the thread's sequence of events. */
  readonly thread: number;
  readonly facts: Facts;
  readonly links: Links;
  readonly messages: Messages;
  /** When the recording began, in nanoseconds. */
  readonly started: number;
}

/**
 * Writes what a thread does: the second look. A task is written when it is over, since only then all is known that its
 * microtasks say of each other.
 */
export class TaskWriter implements Listener {
  private readonly steps: (() => void)[] = [];
  private readonly stack: Run[] = [];
  private readonly items = new Map<number, Item>();
  /** Who has registered what, of this task. */
  private readonly parents = new Map<Item, Run>();
  private readonly sent = new Map<number, Item>();
  private readonly types = new Map<string, number>();
  private readonly sites = new Map<string, number>();
  /** How many unclear microtasks have begun. */
  private unclear = 0;
  /** The entry that ended last, in this task, and the microtask that did, in this checkpoint. */
  private last: Run | undefined;
  private microtask: Run | undefined;

  constructor(
    private readonly writer: ThreadWriter,
    private readonly known: KnownToWriter,
  ) {}

  register(registration: Registration): void {
    const facts = this.known.facts.of(registration);
    if (facts === undefined) return;
    const type = registration.type || facts.type || "task";
    const item = {
      ...newItem(type, facts.place),
      recurring: registration.recurring || isRecurring(type),
    };
    this.items.set(registration.ordinal, item);
    this.initialize(item);
  }

  cancel(registration: Registration): void {
    const item = this.items.get(registration.ordinal);
    this.items.delete(registration.ordinal);
    if (item === undefined || item.microtask) return;
    if (registration.runs > 0 && !registration.recurring) return;
    this.steps.push(() => {
      this.writer.cancel(item.id);
    });
  }

  send(key: number, place?: Place): void {
    const link = this.known.links.linkOf(key);
    if (link === undefined) return;
    if (!link.isLocal) {
      const number = this.messageOf(key);
      this.steps.push(() => {
        this.writer.send(number);
      });
    } else if (!this.sent.has(key)) {
      const item = newItem(link.type || typeOfKey(key), place ?? link.place);
      this.sent.set(key, item);
      this.initialize(item);
    }
  }

  pass(): void {
    // The first look has taken care of that.
  }

  arrive(): void {
    // The first look has taken care of that, too.
  }

  copy(key: number): void {
    this.send(key);
  }

  startWorker(key: number): void {
    this.send(key);
  }

  begin(cause: Cause, time: number, place: Place | undefined): void {
    const run: Run = { item: this.itemOf(cause, place), late: [], parent: undefined };
    run.parent = this.parents.get(run.item);
    if (cause.unclear === true)
      this.guess(run, this.known.facts.placeOfUnclear(this.unclear++) ?? place);
    this.stack.push(run);
    const at = this.unitsOf(time);
    this.steps.push(() => {
      const { item } = run;
      if (item.id === 0) this.writeItem(item);
      if (item.microtask) this.writer.beginPromise(item.id, at);
      else this.writer.beginResource(item.id, at);
    });
  }

  recall(registration: Registration): void {
    const run = this.stack.at(-1);
    const item = this.items.get(registration.ordinal);
    if (run === undefined || item === undefined || run.item === item) return;
    if (run.parent !== undefined) remove(run.parent.late, run.item);
    run.item = item;
    run.parent = this.parents.get(item);
  }

  end(time: number): void {
    const run = this.stack.pop();
    if (run === undefined) return;
    if (run.item.microtask) this.microtask = run;
    else this.last = run;
    const at = this.unitsOf(time);
    this.steps.push(() => {
      for (const item of run.late) if (item.id === 0) this.writeItem(item);
      this.writer.end(at);
    });
  }

  drain(ofLast: boolean): void {
    if (!ofLast && this.stack.length === 0) this.last = undefined;
    this.microtask = undefined;
    this.steps.push(() => {
      this.writer.drain(ofLast);
    });
  }

  task(): void {
    for (const step of this.steps) step();
    this.steps.length = 0;
    this.parents.clear();
    this.last = undefined;
    this.microtask = undefined;
  }

  /** What a cause says that runs. */
  private itemOf({ type, registration, keys, batch }: Cause, place: Place | undefined): Item {
    if (registration !== undefined) {
      const item = this.items.get(registration.ordinal);
      if (item !== undefined) return item;
    }
    if (batch === true && this.last !== undefined) {
      const item = newItem(type, undefined);
      this.last.late.push(item);
      return item;
    }
    return this.received(type, keys ?? [], place);
  }

  private received(type: string, keys: readonly number[], place: Place | undefined): Item {
    const key = this.known.links.sourceOf(ownKeys(keys, this.known.thread));
    const link = key === undefined ? undefined : this.known.links.linkOf(key);
    if (key === undefined || link === undefined) {
      // A listener may be called again; nothing is known of what settles a promise.
      const recurring = type !== "" && type !== "script";
      return { ...newItem(type || "task", place), recurring, isRoot: true };
    }
    const item = newItem(type || link.type || typeOfKey(key), place);
    if (!link.isLocal) return { ...item, message: this.messageOf(key) };
    return this.sent.get(key) ?? { ...item, isRoot: true };
  }

  /**
   * Who registered a microtask that nothing is known of: the queue has them in their order, so that it was registered
   * after the one before it, whose parent is the best guess.
   */
  private guess(run: Run, place: Place | undefined): void {
    const parent = this.microtask ?? this.last;
    run.item = newItem(run.item.type, place);
    if (parent === undefined) return;
    run.parent = parent;
    parent.late.push(run.item);
  }

  private initialize(item: Item): void {
    const running = this.stack.at(-1);
    if (running !== undefined) this.parents.set(item, running);
    this.steps.push(() => {
      this.writeItem(item);
    });
  }

  private writeItem(item: Item): void {
    const { writer } = this;
    const type = this.typeNumber(item);
    if (item.place !== undefined) writer.site(this.siteNumber(item.place), 1);
    if (item.recurring) writer.recurring();
    if (item.isRoot === true) writer.root();
    if (item.message !== undefined) writer.receive(item.message);
    if (item.microtask) {
      item.id = writer.initPromise(type);
    } else {
      item.id = writer.lastResource + 1;
      writer.init(type, item.id);
    }
  }

  private typeNumber({ type, microtask }: Item): number {
    let number = this.types.get(type);
    if (number === undefined) {
      const flags = microtask ? TypeFlag.PROMISE_SPACE | TypeFlag.MICROTASK : 0;
      number = this.writer.defineType(type, flags);
      this.types.set(type, number);
    }
    return number;
  }

  private siteNumber({ name, file, line, column }: Place): number {
    const key = `${line}:${column}:${file}`;
    let number = this.sites.get(key);
    if (number === undefined) {
      number = this.writer.defineSite(name, file, line, column);
      this.sites.set(key, number);
    }
    return number;
  }

  private messageOf(key: number): number {
    const { messages } = this.known;
    let number = messages.numbers.get(key);
    if (number === undefined) {
      number = ++messages.last;
      messages.numbers.set(key, number);
    }
    return number;
  }

  private unitsOf(time: number): number {
    return unitsBetween(this.known.started, time);
  }
}

/** Units of the file from one time in nanoseconds to another. */
export function unitsBetween(from: number, to: number): number {
  return Math.max(0, Math.round((to - from) / UNIT));
}

function newItem(type: string, place: Place | undefined): Item {
  const microtask = isMicrotask(type) || type === "microtask" || type === "microtasks";
  return { type, microtask, recurring: isRecurring(type), place, id: 0 };
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
