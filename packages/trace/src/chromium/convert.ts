import { closeSync, openSync } from "node:fs";

import { ThreadWriter } from "../format/thread-writer.js";
import type { TrackEvent } from "./decoded-event.js";
import { isScripted, type KnownThread, look } from "./look.js";
import type { Links } from "./links.js";
import { readPackets } from "./packet-file.js";
import { describeThread, type Pass } from "./pass.js";
import { type Messages, TaskWriter, unitsBetween } from "./task-writer.js";
import { ThreadFollower } from "./thread-follower.js";
import { type Thread, TrackEvents, type TrackListener } from "./track-events.js";

/** What conversions of both passes share. */
export interface Conversion {
  /** The trace, which is there already. */
  readonly file: string;
  /** When the first continuation began, in nanoseconds of Chromium's clock: the first conversion finds out. */
  started: number | undefined;
  /** Threads that have been written. */
  threads: number;
  readonly messages: Messages;
}

/** To begin with. */
export function newConversion(file: string): Conversion {
  return { file, started: undefined, threads: 0, messages: { numbers: new Map(), last: 0 } };
}

/**
 * Appends what a recording of Chromium holds to a trace: each thread that has run scripts of the page becomes one.
 * Returns sentences about what is missing.
 *
 * @param raw a file in Perfetto's format
 * @throws Error if a file cannot be read or written
 */
export async function convert(raw: string, pass: Pass, into: Conversion): Promise<string[]> {
  const { links, threads } = await look(raw, pass);
  if (threads.size === 0) return [`${pass}: no script has run`];
  const known = [...threads.values()];
  into.started ??= Math.min(...known.map(({ facts }) => facts.first));
  // Numbers of tasks and messages are those of one browser.
  into.messages.numbers.clear();
  const descriptor = openSync(into.file, "a");
  try {
    const writer = new Writer(descriptor, pass, links, threads, into);
    const events = new TrackEvents(writer);
    await readPackets(raw, (packet) => {
      events.packet(packet);
    });
    writer.close();
  } finally {
    closeSync(descriptor);
  }
  const holed = known.filter(({ lost }) => lost > 0);
  return holed.map(
    ({ address, lost }) => `${pass}: ${lost} times, events of ${address} are missing`,
  );
}

/** The second look: writes each thread. */
class Writer implements TrackListener {
  private readonly writers = new Map<
    number,
    { writer: ThreadWriter; follower: ThreadFollower; tasks: TaskWriter; last: number }
  >();

  constructor(
    private readonly descriptor: number,
    private readonly pass: Pass,
    private readonly links: Links,
    private readonly threads: ReadonlyMap<number, KnownThread>,
    private readonly into: Conversion,
  ) {}

  event(thread: Thread, event: TrackEvent): void {
    const known = this.threads.get(thread.sequence);
    // Both looks have to see the same events.
    if (known === undefined || !isScripted(thread) || event.name.startsWith("Profile")) return;
    if (!this.writers.has(thread.sequence)) this.open(thread.sequence, known);
    const state = this.writers.get(thread.sequence);
    if (state === undefined) return;
    state.last = event.time;
    state.follower.event(event);
    if (state.writer.failure !== undefined) throw state.writer.failure;
  }

  lost(thread: Thread): void {
    const state = this.writers.get(thread.sequence);
    state?.follower.lost(state.last);
  }

  /**
   * Writes what is left.
   *
   * @throws Error if something could not be written
   */
  close(): void {
    for (const { writer, follower, tasks, last } of this.writers.values()) {
      follower.lost(last);
      tasks.task();
      writer.flush();
      if (writer.failure !== undefined) throw writer.failure;
    }
  }

  private open(sequence: number, { thread, facts, address }: KnownThread): void {
    const { started = 0, messages } = this.into;
    const time = unitsBetween(started, facts.first);
    const writer = new ThreadWriter(this.descriptor, ++this.into.threads, time);
    writer.describe(describeThread(this.pass, nameOf(thread, address || facts.address)));
    const tasks = new TaskWriter(writer, {
      thread: sequence,
      facts,
      links: this.links,
      messages,
      started,
    });
    const follower = new ThreadFollower(this.pass, sequence, tasks);
    this.writers.set(sequence, { writer, tasks, follower, last: 0 });
  }
}

/** What a thread is. */
function nameOf({ name }: Thread, address: string): string {
  if (name === "CrRendererMain") return `main thread of ${address}`;
  const kind = name
    .replace(/ ?thread$/i, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return `${kind} ${address}`;
}
