import type { ObservedAwait } from "./instrument.js";
import type { Line } from "./recorder/journal.js";
import { explained, serversIn } from "./servers.js";

/** What an await was seen to do. */
export interface Observation extends ObservedAwait {
  /** How often its call was awaited. */
  readonly calls: number;
  /** How long that took in all, and at most, in ms. */
  readonly ms: number;
  readonly longestMs: number;
  /** What its call touched, with how often: no value of a query, a body or an address is in it. */
  readonly operations: readonly Operation[];
}

/** Something that was done, by whatever the call has led to. */
export interface Operation {
  /** Such as `fs read a.txt`, `sql postgresql SELECT … WHERE id = ?`, `http GET https://host/path`. */
  readonly what: string;
  readonly times: number;
}

/** Of the form of what is written. */
export const VERSION = 2;

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
  /** Awaits that have run, by file and line. */
  readonly awaits: readonly Observation[];
}

/** Puts together what processes have written of each await. Lines that are cut off are passed over. */
export function observationsOf(text: string, awaits: readonly ObservedAwait[]): Observation[] {
  const sums = new Map<
    number,
    { calls: number; ms: number; longest: number; operations: Map<string, number> }
  >();
  for (const { id, calls, ms, longest, operations } of linesOf(text)) {
    const sum = sums.get(id) ?? {
      calls: 0,
      ms: 0,
      longest: 0,
      operations: new Map<string, number>(),
    };
    sums.set(id, sum);
    sum.calls += calls;
    sum.ms += ms;
    sum.longest = Math.max(sum.longest, longest);
    for (const [what, times] of Object.entries(operations)) {
      sum.operations.set(what, times + (sum.operations.get(what) ?? 0));
    }
  }
  const listed = (of: ReadonlyMap<string, number>): Operation[] =>
    [...of].map(([what, times]) => ({ what, times }));
  const servers = serversIn([...sums.values()].map((it) => listed(it.operations)));
  return awaits.flatMap((place, id) => {
    const sum = sums.get(id);
    if (sum === undefined) return [];
    const operations = explained(listed(sum.operations), servers);
    return [
      {
        ...place,
        calls: sum.calls,
        ms: rounded(sum.ms),
        longestMs: rounded(sum.longest),
        operations: operations.sort((one, other) => one.what.localeCompare(other.what)),
      },
    ];
  });
}

function linesOf(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}

function rounded(ms: number): number {
  return Math.round(1000 * ms) / 1000;
}
