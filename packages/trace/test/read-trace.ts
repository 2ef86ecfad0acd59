import { readFileSync } from "node:fs";
import {
  CHUNK_HEADER,
  CHUNK_MAGIC,
  ESCAPE,
  Extra,
  Kind,
  Meta,
  TypeFlag,
} from "../src/format/layout.js";

/** A registration of a trace, with all that became of it. */
export interface Registration {
  /** `r` for a resource, `p` for a promise, and its number. */
  readonly id: string;
  readonly type: string;
  readonly microtask: boolean;
  /** What ran when it was made, in this thread. */
  readonly parent: Run | undefined;
  /** What has triggered it, where that is not its parent: empty if it is not known. */
  readonly trigger: string | undefined;
  /** Function, file, line and column, and how many registrations it stands for. */
  readonly site: Site | undefined;
  readonly recurring: boolean;
  /** The number of the message that it is the receipt of. */
  readonly receives: number | undefined;
  readonly runs: Run[];
  cancelled: boolean;
}

/** A place in the source: function, file, line and column. */
export interface Site {
  readonly text: readonly string[];
  readonly weight: number;
}

/** One run of a continuation; times are in units. */
export interface Run {
  /** `undefined` if that was before the recording. */
  readonly registration: Registration | undefined;
  readonly begin: number;
  end: number | undefined;
  /** What it runs inside of. */
  readonly outer: Run | undefined;
  readonly registers: Registration[];
  /** The numbers of messages that it sends. */
  readonly sends: number[];
}

/** A microtask checkpoint: of what ran before it or of nothing, and how many runs came before. */
export interface Drain {
  readonly before: number;
  readonly ofLast: boolean;
}

/** A thread of a trace. */
export interface Thread {
  readonly number: number;
  name: string;
  readonly notes: string[];
  readonly registrations: Registration[];
  readonly runs: Run[];
  readonly drains: Drain[];
}

/** A trace. */
export interface Trace {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly threads: readonly Thread[];
}

/** What is said of the next registration. */
interface Next {
  site?: Site;
  recurring?: boolean;
  receives?: number;
  root?: boolean;
}

/** Reads a whole trace into memory: the counterpart of the writer, for tests. */
export function readTrace(path: string): Trace {
  const bytes = readFileSync(path);
  let at = 12 + bytes.readUInt32LE(8);
  const metadata = JSON.parse(bytes.toString("utf8", 12, at)) as Record<string, unknown>;
  const readers = new Map<number, ThreadReader>();
  while (at + CHUNK_HEADER <= bytes.length && bytes.readUInt32LE(at) === CHUNK_MAGIC) {
    const end = at + CHUNK_HEADER + bytes.readUInt32LE(at + 4);
    const number = bytes.readUInt32LE(at + 8);
    const reader = readers.get(number) ?? new ThreadReader(number);
    readers.set(number, reader);
    reader.chunk(bytes.subarray(at, end));
    at = end;
  }
  return { metadata, threads: [...readers.values()].map(({ thread }) => thread) };
}

class ThreadReader {
  readonly thread: Thread;
  private readonly types: { name: string; flags: number }[] = [];
  private readonly sites: string[][] = [];
  private readonly known = new Map<string, Registration>();
  private readonly stack: Run[] = [];
  private readonly last = [0, 0];
  private bytes: Buffer = Buffer.alloc(0);
  private at = 0;
  private time = 0;
  private next: Next = {};

  constructor(number: number) {
    this.thread = { number, name: "", notes: [], registrations: [], runs: [], drains: [] };
  }

  chunk(bytes: Buffer): void {
    this.bytes = bytes;
    this.at = CHUNK_HEADER;
    this.time = Math.max(this.time, Number(bytes.readBigUInt64LE(24)));
    this.last[0] = Number(bytes.readBigUInt64LE(32));
    this.last[1] = Number(bytes.readBigUInt64LE(40));
    while (this.at < bytes.length) this.record();
  }

  private record(): void {
    const first = this.byte();
    const kind = first & 7;
    let small = first >> 3;
    if (kind === Kind.META) {
      this.meta(small);
      return;
    }
    if (kind === Kind.EXTRA) {
      this.extra(small);
      return;
    }
    if (small === ESCAPE) small += this.varint();
    if (kind === Kind.INIT) this.init(small, undefined);
    else if (kind === Kind.INIT_TRIGGERED) this.init(small, this.varint());
    else if (kind === Kind.END) this.end(small);
    else this.begin(kind, small);
  }

  private init(type: number, distance: number | undefined): void {
    const { name = "?", flags = 0 } = this.types[type] ?? {};
    const space = flags & TypeFlag.PROMISE_SPACE ? 1 : 0;
    const number = (this.last[space] ?? 0) + 1;
    this.last[space] = number;
    const letter = space === 0 ? "r" : "p";
    const site = this.next.site;
    const parent =
      this.next.root === true || this.next.receives !== undefined ? undefined : this.stack.at(-1);
    const registration: Registration = {
      id: `${letter}${number}`,
      type: name,
      microtask: (flags & TypeFlag.MICROTASK) !== 0,
      parent,
      trigger: distance ? `${letter}${number - distance}` : distance === 0 ? "" : undefined,
      site,
      recurring: this.next.recurring === true,
      receives: this.next.receives,
      runs: [],
      cancelled: false,
    };
    this.next = {};
    parent?.registers.push(registration);
    this.known.set(registration.id, registration);
    this.thread.registrations.push(registration);
  }

  private begin(kind: number, distance: number): void {
    if (kind !== Kind.BEGIN_PROMISE_NOW) this.time += this.varint();
    const space = kind === Kind.BEGIN_RESOURCE ? 0 : 1;
    const registration = this.known.get(
      `${"rp"[space] ?? ""}${(this.last[space] ?? 0) - distance}`,
    );
    const run: Run = {
      registration,
      begin: this.time,
      end: undefined,
      outer: this.stack.at(-1),
      registers: [],
      sends: [],
    };
    registration?.runs.push(run);
    this.thread.runs.push(run);
    this.stack.push(run);
  }

  private end(after: number): void {
    this.time += after;
    const run = this.stack.pop();
    if (run !== undefined) run.end = this.time;
  }

  private meta(record: number): void {
    if (record === Meta.TYPE)
      this.types[this.varint()] = { flags: this.varint(), name: this.text() };
    else if (record === Meta.SITE) this.sites[this.varint()] = this.text().split("\0");
    else if (record === Meta.CANCEL) this.cancel(this.varint());
    else if (record === Meta.SEND) this.stack.at(-1)?.sends.push(this.varint());
    else if (record === Meta.DRAIN) {
      this.thread.drains.push({ before: this.thread.runs.length, ofLast: this.varint() !== 0 });
    } else if (record === Meta.THREAD) this.thread.name = this.text();
    else if (record === Meta.NOTE) this.thread.notes.push(this.text());
    else if (record === Meta.TIME) this.time += this.varint();
    else throw new Error(`record ${record} of META is not known`);
  }

  private cancel(distance: number): void {
    const registration = this.known.get(`r${(this.last[0] ?? 0) - distance}`);
    if (registration !== undefined) registration.cancelled = true;
  }

  private extra(record: number): void {
    if (record === Extra.SITE) {
      this.next.site = { text: this.sites[this.varint()] ?? [], weight: this.varint() };
    } else if (record === Extra.RECURRING) this.next.recurring = true;
    else if (record === Extra.SKIP) this.last[0] = (this.last[0] ?? 0) + this.varint();
    else if (record === Extra.RECEIVE) this.next.receives = this.varint();
    else if (record === Extra.ROOT) this.next.root = true;
    else throw new Error(`record ${record} of EXTRA is not known`);
  }

  private byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  private varint(): number {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      number += (byte & 127) * scale;
      if (byte < 128) return number;
    }
  }

  private text(): string {
    const length = this.varint();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }
}
