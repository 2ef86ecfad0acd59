import type { Fields } from "../wire.js";

/** What an event is. */
export const Phase = { BEGIN: 1, END: 2, INSTANT: 3 } as const;

/** An event of one thread; those of a thread come in the order in which they happened. */
export interface TrackEvent {
  readonly phase: number;
  /** Of ends, empty. */
  readonly name: string;
  /** In nanoseconds, of the clock that all processes share. */
  readonly time: number;
  /** Numbers of the arrows that begin or go on here. */
  readonly flows: readonly number[];
  /** Numbers of the arrows that end here. */
  readonly ends: readonly number[];
  /** What belongs together: all events of a profile, 0 where there is nothing of that sort. */
  readonly id: number;
  /** What else is said of it: decoded when it is called, and only valid until the next event. */
  arguments(): Arguments;
}

/** Named values of an event. */
export type Arguments = Record<string, unknown>;

/** What texts of a sequence are abbreviated to. */
export interface Texts {
  readonly names: ReadonlyMap<number, string>;
  readonly keys: ReadonlyMap<number, string>;
  readonly strings: ReadonlyMap<number, string>;
}

/** An event, decoded as far as it is asked for. */
export class DecodedEvent implements TrackEvent {
  phase = 0;
  name = "";
  track = 0;
  id = 0;
  readonly flows: number[] = [];
  readonly ends: number[] = [];
  private annotations: Fields[] | undefined;

  constructor(
    private readonly texts: Texts,
    readonly time: number,
    fields: Fields,
  ) {
    while (fields.next()) this.read(fields);
  }

  arguments(): Arguments {
    const found: Arguments = {};
    for (const annotation of this.annotations ?? []) this.named(annotation, found);
    this.annotations = undefined;
    return found;
  }

  private read(fields: Fields): void {
    switch (fields.field) {
      case 4:
        (this.annotations ??= []).push(fields.message());
        return;
      case 6:
        this.id = idOf(fields.message());
        return;
      case 9:
        this.phase = fields.number();
        return;
      case 10:
        this.name = this.texts.names.get(fields.number()) ?? "";
        return;
      case 11:
        this.track = fields.number();
        return;
      case 23:
        this.name = fields.text();
        return;
      case 47:
        fields.ids((flow) => this.flows.push(flow));
        return;
      case 48:
        fields.ids((flow) => this.ends.push(flow));
        return;
      default:
        fields.skip();
    }
  }

  /** Decodes one annotation; puts it into `into` by its name, and returns its value. */
  private named(fields: Fields, into: Arguments | undefined): unknown {
    const { keys, strings } = this.texts;
    let name = "";
    let value: unknown;
    const list: unknown[] = [];
    let dictionary: Arguments | undefined;
    while (fields.next()) {
      if (fields.field === 1) name = keys.get(fields.number()) ?? "";
      else if (fields.field === 10) name = fields.text();
      else if (fields.field === 2) value = fields.number() !== 0;
      else if (fields.field === 3 || fields.field === 7) value = fields.number();
      else if (fields.field === 4) value = fields.signed();
      else if (fields.field === 5) value = fields.double();
      else if (fields.field === 6 || fields.field === 9) value = fields.text();
      else if (fields.field === 8) value = nested(fields.message());
      else if (fields.field === 17) value = strings.get(fields.number()) ?? "";
      else if (fields.field === 11) this.named(fields.message(), (dictionary ??= {}));
      else if (fields.field === 12) list.push(this.named(fields.message(), undefined));
      else fields.skip();
    }
    const whole = dictionary ?? (list.length > 0 ? list : value);
    if (into !== undefined) into[name] = whole;
    return whole;
  }
}

/** The number of what an event of the older form belongs to. */
function idOf(fields: Fields): number {
  let id = 0;
  while (fields.next()) {
    // Of the whole trace, of a process, or of no particular one.
    if (fields.field === 6 || fields.field === 10 || fields.field === 11) id = fields.number();
    else fields.skip();
  }
  return id;
}

/** Decodes a value in the form that Chromium's oldest events have. */
function nested(fields: Fields): unknown {
  const keys: string[] = [];
  const values: unknown[] = [];
  let isList = false;
  let value: unknown;
  while (fields.next()) {
    if (fields.field === 1) isList = fields.number() === 2;
    else if (fields.field === 2) keys.push(fields.text());
    else if (fields.field === 3 || fields.field === 4) values.push(nested(fields.message()));
    else if (fields.field === 5) value = fields.signed();
    else if (fields.field === 6) value = fields.double();
    else if (fields.field === 7) value = fields.number() !== 0;
    else if (fields.field === 8) value = fields.text();
    else fields.skip();
  }
  if (keys.length > 0) return Object.fromEntries(keys.map((key, at) => [key, values[at]]));
  return isList || values.length > 0 ? values : value;
}
