import type { Place } from "./continuations.js";
import type { Arguments } from "./decoded-event.js";
import { HELPER_FILE } from "./helper.js";
import { type Sample, SampleMatcher } from "./match-samples.js";

/** A function that was called somewhere. */
interface Node {
  /** Where it begins; nothing if it is not the program's. */
  readonly place: Place | undefined;
  readonly parent: number;
}

/** A part of the profile in which samples were taken for events: their nodes by their numbers. */
interface Part {
  readonly events: ReadonlyMap<number, number>;
  readonly samples: readonly Sample[];
}

/** What the event of a part holds, as far as it matters. */
interface Chunk {
  readonly cpuProfile?: {
    readonly nodes?: readonly {
      readonly id: number;
      readonly parent?: number;
      readonly callFrame: {
        readonly functionName?: string;
        readonly url?: string;
        readonly lineNumber?: number;
        readonly columnNumber?: number;
      };
    }[];
    readonly samples?: readonly number[];
    readonly trace_ids?: Readonly<Record<string, number>>;
  };
  readonly timeDeltas?: readonly number[];
  readonly lines?: readonly number[];
  readonly columns?: readonly number[];
}

/**
 * What V8's sampling profiler says of one thread. It takes a sample whenever something is registered, whose innermost
 * line is where that stands.
 */
export class Profile {
  private readonly nodes = new Map<number, Node>();
  private readonly parts: Part[] = [];
  /** Nodes by the numbers of samples that were taken for an event, and the samples themselves. */
  private readonly events = new Map<number, number>();
  private readonly samples = new Map<number, Sample>();
  private time = 0;

  /** Takes what the event that begins the profile says. */
  begin({ data }: Arguments): void {
    const { startTime } = parsed(data) as { startTime?: number };
    this.time = startTime ?? 0;
  }

  /** Takes a part of the profile. */
  chunk({ data }: Arguments): void {
    const { cpuProfile = {}, timeDeltas = [], lines = [], columns = [] } = parsed(data) as Chunk;
    for (const { id, parent = 0, callFrame } of cpuProfile.nodes ?? []) {
      const { functionName = "", url = "", lineNumber = 0, columnNumber = 0 } = callFrame;
      const [line, column] = [lineNumber + 1, columnNumber + 1];
      const isOurs = url !== "" && url !== HELPER_FILE;
      const place = isOurs ? { name: functionName, file: url, line, column } : undefined;
      this.nodes.set(id, { place, parent });
    }
    const samples = (cpuProfile.samples ?? []).map((node, at) => {
      this.time += timeDeltas[at] ?? 0;
      return { time: this.time * 1000, node, line: lines[at] ?? 0, column: columns[at] ?? 0 };
    });
    const ids = Object.entries(cpuProfile.trace_ids ?? {});
    if (ids.length === 0) return;
    const events = new Map(ids.map(([event, node]) => [Number(event), node]));
    for (const [event, node] of events) this.events.set(event, node);
    this.parts.push({ events, samples: samples.filter(({ line }) => line > 0) });
  }

  /** Finds the samples of events. To be called with all that have any, before places are asked for. */
  align(events: readonly number[], times: readonly number[]): void {
    const timeOf = new Map<number, number>();
    events.forEach((event, at) => timeOf.set(event, times[at] ?? 0));
    const matcher = new SampleMatcher();
    for (const part of this.parts) {
      const sampled = [...part.events].flatMap(([event, node]) => {
        const time = timeOf.get(event);
        return time === undefined ? [] : [{ event, time, node }];
      });
      sampled.sort((one, other) => one.time - other.time);
      matcher.add(sampled, part.samples);
    }
    matcher.end((event, sample) => {
      this.samples.set(event, sample);
    });
    this.parts.length = 0;
  }

  /** Where an event stands whose sample has this number; the begin of the function if no line is known. */
  placeOf(event: number): Place | undefined {
    let node = this.nodes.get(this.events.get(event) ?? 0);
    while (node !== undefined && node.place === undefined) node = this.nodes.get(node.parent);
    const place = node?.place;
    if (place === undefined) return undefined;
    const { line, column } = this.samples.get(event) ?? place;
    return { ...place, line, column };
  }

  /** Where the outermost function begins that runs at an event whose sample has this number. */
  entryOf(event: number): Place | undefined {
    let place: Place | undefined;
    let node = this.nodes.get(this.events.get(event) ?? 0);
    while (node !== undefined) {
      place = node.place ?? place;
      node = this.nodes.get(node.parent);
    }
    return place;
  }
}

function parsed(data: unknown): unknown {
  if (typeof data !== "string") return data ?? {};
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return {};
  }
}
