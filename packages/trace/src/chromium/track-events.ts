import { DecodedEvent, type TrackEvent } from "./decoded-event.js";
import { Descriptor, Packet } from "./packet.js";
import { Fields } from "../wire.js";

/** A thread, which a {@link TrackEvent} happened in. */
export interface Thread {
  /** The number of its sequence of events, which no other thread has. */
  readonly sequence: number;
  pid: number;
  tid: number;
  name: string;
}

/** Is told what a trace says. */
export interface TrackListener {
  event(thread: Thread, event: TrackEvent): void;
  /** Events of this thread are missing here. */
  lost(thread: Thread): void;
}

/** What packets of one sequence refer to. */
interface Sequence {
  readonly thread: Thread;
  readonly names: Map<number, string>;
  readonly keys: Map<number, string>;
  readonly strings: Map<number, string>;
  /** The last time, for clocks that count from there. */
  time: number;
  clock: number;
  /** What a unit of the clock is, if it counts from the last time. */
  incremental: Map<number, number>;
  /** The track of the thread, which others of the sequence are not. */
  track: number;
  /** Whether what packets refer to is known. */
  valid: boolean;
}

const textOf = (map: Map<number, string>, fields: Fields): void => {
  let id = 0;
  let text = "";
  while (fields.next()) {
    if (fields.field === 1) id = fields.number();
    else if (fields.field === 2) text = fields.text();
    else fields.skip();
  }
  map.set(id, text);
};

/** Decodes the packets of a Perfetto trace as far as Chromium's events of threads need it. */
export class TrackEvents {
  private readonly sequences = new Map<number, Sequence>();

  constructor(private readonly listener: TrackListener) {}

  /** Takes one packet. */
  packet(bytes: Uint8Array): void {
    const packet = new Packet(new Fields(bytes));
    const sequence = this.sequence(packet.sequence);
    if (packet.dropped && sequence.valid) {
      sequence.valid = false;
      this.listener.lost(sequence.thread);
    }
    if (packet.cleared) clear(sequence);
    if (packet.defaults !== undefined) defaults(sequence, packet.defaults);
    if (packet.clocks !== undefined) clocks(sequence, packet.clocks);
    if (packet.interned !== undefined) intern(sequence, packet.interned);
    if (packet.descriptor !== undefined) this.describe(sequence, packet.descriptor);
    if (packet.event !== undefined) this.event(sequence, packet, packet.event);
  }

  private sequence(number: number): Sequence {
    let sequence = this.sequences.get(number);
    if (sequence === undefined) {
      sequence = {
        thread: { sequence: number, pid: 0, tid: 0, name: "" },
        names: new Map(),
        keys: new Map(),
        strings: new Map(),
        time: 0,
        clock: 0,
        incremental: new Map(),
        track: 0,
        valid: false,
      };
      this.sequences.set(number, sequence);
    }
    return sequence;
  }

  private event(sequence: Sequence, packet: Packet, fields: Fields): void {
    const unit = sequence.incremental.get(packet.clock ?? sequence.clock);
    if (unit !== undefined) sequence.time += packet.time * unit;
    const time = unit === undefined ? packet.time : sequence.time;
    if (!sequence.valid) return;
    const event = new DecodedEvent(sequence, time, fields);
    // Other tracks of the sequence are no part of what the thread does.
    if (event.track !== sequence.track && event.track !== 0) return;
    this.listener.event(sequence.thread, event);
  }

  private describe(sequence: Sequence, fields: Fields): void {
    const found = new Descriptor(fields);
    if (found.tid === undefined) return;
    const { thread } = sequence;
    if (sequence.track !== 0 && found.track !== sequence.track) return;
    thread.pid = found.pid;
    thread.tid = found.tid;
    thread.name = found.name ?? thread.name;
  }
}

function clear(sequence: Sequence): void {
  sequence.valid = true;
  sequence.names.clear();
  sequence.keys.clear();
  sequence.strings.clear();
}

function defaults(sequence: Sequence, fields: Fields): void {
  while (fields.next()) {
    if (fields.field === 58) sequence.clock = fields.number();
    else if (fields.field === 11) {
      const event = fields.message();
      while (event.next()) {
        if (event.field === 11) sequence.track = event.number();
        else event.skip();
      }
    } else fields.skip();
  }
}

function clocks(sequence: Sequence, fields: Fields): void {
  while (fields.next()) {
    if (fields.field !== 1) {
      fields.skip();
      continue;
    }
    const clock = fields.message();
    let [id, time, incremental, unit] = [0, 0, false, 1];
    while (clock.next()) {
      if (clock.field === 1) id = clock.number();
      else if (clock.field === 2) time = clock.number();
      else if (clock.field === 3) incremental = clock.number() !== 0;
      else if (clock.field === 4) unit = clock.number();
      else clock.skip();
    }
    if (!incremental) continue;
    sequence.incremental.set(id, unit);
    sequence.time = time * unit;
  }
}

function intern(sequence: Sequence, fields: Fields): void {
  while (fields.next()) {
    if (fields.field === 2) textOf(sequence.names, fields.message());
    else if (fields.field === 3) textOf(sequence.keys, fields.message());
    else if (fields.field === 29) textOf(sequence.strings, fields.message());
    else fields.skip();
  }
}
