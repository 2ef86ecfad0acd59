import type { Place } from "./continuations.js";
import { PortMessages } from "./port-messages.js";

/** What is known of something that is sent, and later runs a continuation. */
export interface Link {
  /** Whether all that it runs is in the thread that sends it. */
  isLocal: boolean;
  readonly type: string;
  readonly place: Place | undefined;
}

/** Over how many steps a cause is looked for. */
const HOPS = 12;

interface Use {
  readonly keys: readonly number[];
  readonly thread: number;
  readonly type: string;
  readonly place: Place | undefined;
}

/** A worker that is started, by what has this key, or in this thread. */
interface Start {
  readonly address: string;
  readonly time: number;
  readonly key: number;
  /** What else the task has for keys in which it happens. */
  readonly keys: readonly number[];
}

/**
 * Joins what continuations send (tasks, messages, requests) to what it runs, maybe in another thread. Keys are those of
 * `keyOf`.
 */
export class Links {
  readonly ports = new PortMessages();
  private readonly senders = new Map<number, number>();
  /** What was handled when something was sent. */
  private readonly hops = new Map<number, number>();
  /** What has arrived in a task, which says more than who has posted that. */
  private readonly arrivals = new Map<number, number>();
  private readonly uses: Use[] = [];
  private readonly created: Start[] = [];
  private readonly started: Start[] = [];
  private readonly links = new Map<number, Link>();

  /** A continuation of this thread sends something. */
  sent(key: number, thread: number): void {
    this.senders.set(key, thread);
  }

  /** Something runs that has been sent with one of these keys. */
  used(keys: readonly number[], thread: number, type: string, place: Place | undefined): void {
    this.uses.push({ keys, thread, type, place });
  }

  /** This is sent while that is handled, by no continuation. */
  passedOn(key: number, of: number): void {
    if (key !== of && of !== 0) this.hops.set(key, of);
  }

  /** An answer of this key arrives in that task. */
  arrived(key: number, task: number): void {
    this.arrivals.set(task, key);
  }

  /** A continuation starts a worker. */
  createsWorker(key: number, thread: number, address: string, time: number): void {
    this.sent(key, thread);
    this.created.push({ address, time, key, keys: [] });
  }

  /** The first script of a worker's thread begins; `key` is the one that `used` has for that. */
  startsWorker(key: number, address: string, time: number, keys: readonly number[]): void {
    this.started.push({ address, time, key, keys });
  }

  /** To be called when all is known, before what follows. */
  join(): void {
    this.joinWorkers();
    for (const [received, sent] of this.ports.join()) this.hops.set(received, sent);
    for (const { keys, thread, type, place } of this.uses) {
      const key = this.sourceOf(keys);
      if (key === undefined) continue;
      const isLocal = this.senders.get(key) === thread;
      const link = this.links.get(key);
      if (link === undefined) this.links.set(key, { isLocal, type, place });
      else link.isLocal &&= isLocal;
    }
    this.uses.length = 0;
  }

  /** What is known of what is sent with this key; nothing if it runs nothing. */
  linkOf(key: number): Link | undefined {
    return this.links.get(key);
  }

  /** The key that something was sent with that has arrived with one of these. */
  sourceOf(keys: readonly number[]): number | undefined {
    return keys.map((key) => this.firstOf(key)).find((key) => this.senders.has(key));
  }

  /** Workers of the same script start in the order in which they were created, as far as anybody can tell. */
  private joinWorkers(): void {
    this.created.sort((one, other) => one.time - other.time);
    this.started.sort((one, other) => one.time - other.time);
    for (const { address, key, keys } of this.started) {
      const at = this.created.findIndex((it) => it.address === address);
      const [creation] = at < 0 ? [] : this.created.splice(at, 1);
      if (creation === undefined) continue;
      // What the arrival of the script has caused was caused by the same.
      const all = [key, ...keys.map((it) => this.firstOf(it))];
      for (const each of all) if (!this.senders.has(each)) this.hops.set(each, creation.key);
    }
  }

  /** Where the chain of causes begins, as far as it is known. */
  private firstOf(key: number): number {
    let first = key;
    for (let hop = 0; hop < HOPS && !this.senders.has(first); hop++) {
      const before = this.arrivals.get(first) ?? this.hops.get(first);
      if (before === undefined) break;
      first = before;
    }
    return first;
  }
}
