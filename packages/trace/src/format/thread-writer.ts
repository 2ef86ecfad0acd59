import * as own from "../own.js";
import { crc32 } from "./crc32.js";
import { CHUNK_HEADER, CHUNK_MAGIC, CHUNK_SIZE, ESCAPE, Kind, Meta, Extra } from "./layout.js";

/** The most that one record without a text takes, in bytes. */
const RECORD = 64;
/** The most characters of a text that are kept. */
const TEXT = 4096;

/**
 * Writes the events of one thread into a file that several threads append to. Everything is kept until a chunk is full,
 * or {@link flush} is called; each chunk is appended with one call, so that chunks of threads do not mix and a file
 * that is cut off reads up to there.
 */
export class ThreadWriter {
  private readonly bytes = new Uint8Array(CHUNK_SIZE);
  private readonly view = new DataView(this.bytes.buffer);
  private at = CHUNK_HEADER;
  private events = 0;
  /** What both were when the last record was whole that {@link undo} may not take back. */
  private whole = CHUNK_HEADER;
  private wholeEvents = 0;
  private limit = CHUNK_SIZE;
  private sequence = 0;
  /** The last ids of both spaces. */
  private resource = 0;
  private promise = 0;
  private firstResource = 0;
  private firstPromise = 0;
  private types = 0;
  private sites = 0;
  /** The time of the last record that has one, and that of the chunk's first, in units. */
  private time: number;
  private base: number;
  /** What the descriptor has to be: a program may close all that it did not open, and open its own. */
  private readonly file: number;
  /** Whether nothing can be written any more, and why. */
  failure: Error | undefined;

  /**
   * @param descriptor a file opened for appending
   * @param thread the number of the thread, the same for no other
   * @param time now, in units since the recording began
   * @param resource the last id of space 0 that was given out before
   */
  constructor(
    private readonly descriptor: number,
    private readonly thread: number,
    time: number,
    resource = 0,
  ) {
    this.time = time;
    this.base = time;
    this.resource = resource;
    this.firstResource = resource;
    this.file = own.stat(descriptor).ino;
  }

  /** The last id of space 0. */
  get lastResource(): number {
    return this.resource;
  }

  /** From here on, {@link undo} takes back what is written. */
  mark(): void {
    this.whole = this.at;
    this.wholeEvents = this.events;
  }

  /**
   * Takes back what was written since the last mark: the stack was used up on the way, so that nothing can be called
   * here. What comes next begins a chunk, which says all that it depends on.
   */
  undo(): void {
    this.at = this.whole;
    this.events = this.wholeEvents;
    this.limit = 0;
  }

  /** Introduces a type ({@link TypeFlag}); its number is what {@link init} takes. */
  defineType(name: string, flags: number): number {
    this.text(Meta.TYPE, name, this.types, flags);
    return this.types++;
  }

  /** Introduces a place in the source; its number is what {@link site} takes. */
  defineSite(name: string, file: string, line: number, column: number): number {
    this.text(Meta.SITE, `${name}\0${file}\0${line}\0${column}`, this.sites);
    return this.sites++;
  }

  /** Says what this thread is. */
  describe(text: string): void {
    this.text(Meta.THREAD, text);
  }

  /** Where the next registration stands in the source, and for how many it stands. */
  site(site: number, weight: number): void {
    this.extra(Extra.SITE);
    this.varint(site);
    this.varint(weight);
  }

  /** The next registration may run more than once. */
  recurring(): void {
    this.extra(Extra.RECURRING);
  }

  /** The next registration is of a message that `send` was called for, maybe in another thread. */
  receive(message: number): void {
    this.extra(Extra.RECEIVE);
    this.varint(message);
  }

  /** The next registration has nothing for a parent. */
  root(): void {
    this.extra(Extra.ROOT);
  }

  /** What runs sends a message. */
  send(message: number): void {
    this.meta(Meta.SEND);
    this.varint(message);
  }

  /** The resource will not run (again). */
  cancel(id: number): void {
    this.meta(Meta.CANCEL);
    this.varint(this.resource - id);
  }

  /** A microtask checkpoint begins, of what has just run or of nothing. */
  drain(ofLast: boolean): void {
    this.meta(Meta.DRAIN);
    this.varint(ofLast ? 1 : 0);
  }

  /** Registers the resource `id`, which is above all before it; whoever runs is its parent and trigger. */
  init(type: number, id: number): void {
    if (id !== this.resource + 1) this.skip(id);
    this.resource = id;
    this.open(Kind.INIT, type);
  }

  /** The same of a resource that another one than what runs has triggered. */
  initTriggered(type: number, id: number, trigger: number): void {
    if (id !== this.resource + 1) this.skip(id);
    this.resource = id;
    this.open(Kind.INIT_TRIGGERED, type);
    this.varint(trigger > 0 && trigger < id ? id - trigger : 0);
  }

  /** Registers the next promise that nothing is chained on by itself; returns its id. */
  initPromise(type: number): number {
    this.open(Kind.INIT, type);
    return ++this.promise;
  }

  /** Registers the next reaction to the promise `trigger` (0: not known); returns its id. */
  initReaction(type: number, trigger: number): number {
    const id = ++this.promise;
    this.open(Kind.INIT_TRIGGERED, type);
    this.varint(trigger === 0 ? 0 : id - trigger);
    return id;
  }

  /** A resource begins to run. */
  beginResource(id: number, time: number): void {
    this.open(Kind.BEGIN_RESOURCE, this.resource - id);
    this.varint(this.elapsed(time));
  }

  /** A reaction begins to run. */
  beginPromise(id: number, time: number): void {
    this.open(Kind.BEGIN_PROMISE, this.promise - id);
    this.varint(this.elapsed(time));
  }

  /** A reaction begins to run right after the last end. */
  beginPromiseNow(id: number): void {
    this.open(Kind.BEGIN_PROMISE_NOW, this.promise - id);
  }

  /** What runs ends. */
  end(time: number): void {
    this.open(Kind.END, this.elapsed(time));
  }

  /** Appends what is there to the file. */
  flush(): void {
    if (this.at > CHUNK_HEADER) {
      this.header();
      if (this.failure === undefined) this.append();
      this.sequence++;
    }
    this.restart();
  }

  private append(): void {
    try {
      const { ino } = own.stat(this.descriptor);
      if (ino !== this.file) throw new Error("the program has closed it");
      const written = own.write(this.descriptor, this.bytes, 0, this.at);
      if (written !== this.at) this.failure = new Error("the disk is full");
    } catch (error) {
      // The stack is used up: this chunk is written later.
      if (error instanceof RangeError) throw error;
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  private header(): void {
    const { view } = this;
    view.setUint32(0, CHUNK_MAGIC, true);
    view.setUint32(4, this.at - CHUNK_HEADER, true);
    view.setUint32(8, this.thread, true);
    view.setUint32(12, this.sequence, true);
    view.setUint32(16, this.events, true);
    view.setUint32(20, crc32(own.subarray(this.bytes, CHUNK_HEADER, this.at)), true);
    view.setBigUint64(24, BigInt(this.base), true);
    view.setBigUint64(32, BigInt(this.firstResource), true);
    view.setBigUint64(40, BigInt(this.firstPromise), true);
  }

  private restart(): void {
    this.at = CHUNK_HEADER;
    this.events = 0;
    this.limit = CHUNK_SIZE;
    this.mark();
    this.base = this.time;
    this.firstResource = this.resource;
    this.firstPromise = this.promise;
  }

  /** Begins a record; the chunk has room for all of it afterwards. */
  private open(kind: number, small: number): void {
    this.reserve(RECORD);
    this.events++;
    if (small >= 0 && small < ESCAPE) {
      this.bytes[this.at++] = kind | (small << 3);
    } else {
      this.bytes[this.at++] = kind | (ESCAPE << 3);
      this.varint(small - ESCAPE);
    }
  }

  private meta(record: number): void {
    this.reserve(RECORD);
    this.bytes[this.at++] = Kind.META | (record << 3);
  }

  private extra(record: number): void {
    // What it belongs to stands in the same chunk.
    this.reserve(4 * RECORD);
    this.bytes[this.at++] = Kind.EXTRA | (record << 3);
  }

  private reserve(size: number): void {
    if (this.at > this.limit - size) this.flush();
  }

  private skip(id: number): void {
    this.extra(Extra.SKIP);
    this.varint(id - this.resource - 1);
  }

  /** Units since the last time; clocks that are set back stand still. */
  private elapsed(time: number): number {
    const passed = time - this.time;
    if (passed <= 0) return 0;
    this.time = time;
    return passed;
  }

  /** A number below 2^53, seven bits to a byte. */
  private varint(number: number): void {
    let rest = number < 0 ? 0 : number;
    while (rest >= 0x80000000) {
      this.bytes[this.at++] = (rest % 128) | 128;
      rest = own.floor(rest / 128);
    }
    while (rest > 127) {
      this.bytes[this.at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.at++] = rest;
  }

  private text(record: number, text: string, ...numbers: readonly number[]): void {
    const encoded = own.bytesOf(own.slice(text, 0, TEXT));
    this.reserve(encoded.length + RECORD);
    this.meta(record);
    // eslint-disable-next-line @typescript-eslint/prefer-for-of -- the program may have replaced what iterates
    for (let at = 0; at < numbers.length; at++) this.varint(numbers[at] ?? 0);
    this.varint(encoded.length);
    own.setBytes(this.bytes, encoded, this.at);
    this.at += encoded.length;
    this.mark();
  }
}
