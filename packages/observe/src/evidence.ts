import { dirname, relative } from "node:path";

import type { ObservedAwait } from "./instrument.js";
import { type Entry, type Line, MORE, MOST_INNER, MOST_OPERATIONS } from "./recorder/journal.js";
import { explained, serversIn, withoutPorts } from "./servers.js";

/** What an await was seen to do. */
export interface Observation extends ObservedAwait {
  /** How often its call was awaited. */
  readonly calls: number;
  /** How long that took in all, and at most, in ms. */
  readonly ms: number;
  readonly longestMs: number;
  /** What its call touched, with how often: no value of a query, a body or an address is in it. */
  readonly operations: readonly Operation[];
  /** The awaits that have begun in its calls, by their places in the list of all. */
  readonly inner: readonly number[];
}

/** Something that was done, by whatever the call has led to. */
export interface Operation {
  /** Such as `fs read a.txt`, `sql postgresql SELECT … WHERE id = ?`, `http GET https://host/path`. */
  readonly what: string;
  readonly times: number;
}

/** Of the form of what is written. */
export const VERSION = 3;

/** What `headstart observe` writes. */
export interface Evidence {
  readonly version: typeof VERSION;
  readonly tool: string;
  /** As in ISO 8601. */
  readonly createdAt: string;
  /** The folder of the project, relative to that of this file. */
  readonly project: string;
  /** The command that was run. */
  readonly command: readonly string[];
  /** The share of awaits that were recorded. */
  readonly share: number;
  /** Awaits that have run, by file and line. */
  readonly awaits: readonly Observation[];
}

/** A recording of a project, for a file. Both paths are absolute. */
export function evidenceOf({
  project,
  out,
  ...rest
}: Omit<Evidence, "version" | "createdAt"> & { readonly out: string }): Evidence {
  const createdAt = new Date().toISOString();
  return { version: VERSION, createdAt, ...rest, project: relative(dirname(out), project) || "." };
}

/** Puts together what processes have written of each await. What is no such thing is passed over, and counted. */
export function observationsOf(
  text: string,
  awaits: readonly ObservedAwait[],
): { readonly seen: readonly Observation[]; readonly damaged: number } {
  const sums = new Sums();
  let damaged = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const parsed = lineOf(line);
    if (parsed === undefined) damaged++;
    else sums.add(...parsed);
  }
  return { seen: sums.observations(awaits), damaged };
}

/** What awaits have done so far. */
export class Sums {
  private readonly sums = new Map<number, Entry>();

  /** Adds what one of them has done since the last time. */
  add(id: number, { calls, ms, longest, operations, inner }: Readonly<Entry>): void {
    const sum = this.sums.get(id) ?? {
      ...{ calls: 0, ms: 0, longest: 0 },
      operations: new Map<string, number>(),
      inner: new Set<number>(),
    };
    this.sums.set(id, sum);
    sum.calls += calls;
    sum.ms += ms;
    sum.longest = Math.max(sum.longest, longest);
    for (const it of inner) sum.inner.add(it);
    for (const [what, times] of operations) {
      const isKept = sum.operations.has(what) || sum.operations.size < MOST_OPERATIONS;
      const kept = isKept ? what : MORE;
      sum.operations.set(kept, times + (sum.operations.get(kept) ?? 0));
    }
  }

  /** What they have done, of those that have run. An await is told by its place among all. */
  observations(awaits: readonly ObservedAwait[]): Observation[] {
    const servers = serversIn([...this.sums.values()].map((it) => listed(it.operations)));
    const places = new Map<number, number>();
    for (const id of awaits.keys()) if (this.sums.has(id)) places.set(id, places.size);
    return awaits.flatMap((place, id) => {
      const sum = this.sums.get(id);
      if (sum === undefined) return [];
      const inner = [...sum.inner].flatMap((it) => places.get(it) ?? []);
      const operations = withoutPorts(explained(listed(sum.operations), servers));
      const isCut = inner.length > MOST_INNER && operations.every(({ what }) => what !== MORE);
      if (isCut) operations.push({ what: MORE, times: 1 });
      return [
        {
          ...place,
          calls: sum.calls,
          ms: rounded(sum.ms),
          longestMs: rounded(sum.longest),
          operations: operations.sort((one, other) => one.what.localeCompare(other.what)),
          inner: inner.slice(0, MOST_INNER).sort((one, other) => one - other),
        },
      ];
    });
  }
}

function listed(operations: ReadonlyMap<string, number>): Operation[] {
  return [...operations].map(([what, times]) => ({ what, times }));
}

/** What a process has written in a line; nothing where it was cut off, or was written by something else. */
function lineOf(text: string): readonly [number, Entry] | undefined {
  try {
    const { id, calls, ms, longest, operations, inner } = JSON.parse(text) as Line;
    if (![id, calls, ms, longest].every(Number.isFinite)) return undefined;
    const done = new Map(Object.entries(operations));
    return [id, { calls, ms, longest, operations: done, inner: new Set(inner) }];
  } catch {
    return undefined;
  }
}

function rounded(ms: number): number {
  return Math.round(1000 * ms) / 1000;
}
