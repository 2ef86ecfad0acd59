// What of a run is compared.

import { normalForm } from "./resources.mjs";

/**
 * A run as far as the contract is about it.
 *
 * @returns {{id: string, core: string, applied: string, reads: {start: string, whole: string}[],
 *   after: string[][], conflicts: {pair: string, isRead: boolean, removes: boolean, since: string[]}[], leaks: string[], unhandled: string[], pending: object[],
 *   positions: {completed: string[], pending: string[]}[], overlapped: string[],
 *   helpers: Record<string, string>}}
 */
export function record(trace) {
  const outcome = { main: trace.main, other: trace.other, runaway: trace.runaway };
  const lines = trace.output.map(({ line }) => line);
  const writes = normalForm(trace.writes);
  const parts = {
    core: JSON.stringify([outcome, writes, lines]),
    applied: normalForm(trace.applied),
    reads: trace.reads.toSorted((left, right) => (left.whole < right.whole ? -1 : 1)),
    after: trace.output.filter(({ isMain }) => isMain).map(({ after }) => [...after].sort()),
    conflicts: trace.conflicts.toSorted((left, right) => (left.pair < right.pair ? -1 : 1)),
    leaks: trace.leaks.toSorted(),
    unhandled: trace.unhandled.toSorted(),
    pending: trace.pending,
    positions: trace.positions,
    overlapped: trace.positions.length > 0 ? [...trace.overlapped].sort() : [],
    helpers: trace.helpers,
  };
  return { id: JSON.stringify(parts), ...parts };
}
