import type { Fields } from "../wire.js";

/** The parts of a packet that matter here. */
export class Packet {
  sequence = 0;
  time = 0;
  clock: number | undefined;
  cleared = false;
  dropped = false;
  event: Fields | undefined;
  interned: Fields | undefined;
  defaults: Fields | undefined;
  descriptor: Fields | undefined;
  clocks: Fields | undefined;

  constructor(fields: Fields) {
    while (fields.next()) this.read(fields);
  }

  private read(fields: Fields): void {
    switch (fields.field) {
      case 6:
        this.clocks = fields.message();
        return;
      case 8:
        this.time = fields.number();
        return;
      case 10:
        this.sequence = fields.number();
        return;
      case 11:
        this.event = fields.message();
        return;
      case 12:
        this.interned = fields.message();
        return;
      case 13:
        this.cleared ||= (fields.number() & 1) !== 0;
        return;
      case 41:
        this.cleared ||= fields.number() !== 0;
        return;
      case 42:
        this.dropped = fields.number() !== 0;
        return;
      case 58:
        this.clock = fields.number();
        return;
      case 59:
        this.defaults = fields.message();
        return;
      case 60:
        this.descriptor = fields.message();
        return;
      default:
        fields.skip();
    }
  }
}

/** The description of a track that is a thread. */
export class Descriptor {
  track = 0;
  pid = 0;
  tid: number | undefined;
  name: string | undefined;

  constructor(fields: Fields) {
    while (fields.next()) {
      if (fields.field === 1) this.track = fields.number();
      else if (fields.field === 4) this.ofThread(fields.message());
      else fields.skip();
    }
  }

  private ofThread(fields: Fields): void {
    while (fields.next()) {
      if (fields.field === 1) this.pid = fields.number();
      else if (fields.field === 2) this.tid = fields.number();
      else if (fields.field === 5) this.name = fields.text();
      else fields.skip();
    }
  }
}
