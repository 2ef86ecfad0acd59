import type { Chain, Copy, Join, Receipt } from "./port-chains.js";

/** Messages that were sent between two times, in their order. */
interface Group {
  readonly from: number;
  readonly to: number;
  readonly receipts: readonly Receipt[];
  /** The message before them, if that has woken their port, and what it was copied by. */
  readonly first: Receipt | undefined;
  readonly waking: Copy | undefined;
  /** The thread that sends them, if that is known: each port has one other. */
  readonly thread: number | undefined;
}

/** Joins messages of which only times are known. */
export function joinByTimes(groups: readonly Group[], all: readonly Copy[], join: Join): void {
  for (const { first, waking } of groups) {
    if (first !== undefined && waking !== undefined) join([first], [waking]);
  }
  for (const group of groups) {
    const { from, receipts, first, waking } = group;
    if (from === -Infinity) continue;
    const found = between(all, group, receipts.length);
    if (found.length === receipts.length || first === undefined || waking === undefined) {
      join(receipts, found);
      continue;
    }
    // The port was started after its messages had been sent, and not woken by the last of them.
    waking.isUsed = false;
    join([first, ...receipts], before(all, group, receipts.length + 1));
  }
  for (const group of groups) {
    const { from, receipts } = group;
    if (from === -Infinity) join(receipts, before(all, group, receipts.length));
  }
}

/** The messages of a chain that a port has found at once. */
export function groupsOf({ head, waking, found }: Chain): Group[] {
  const thread = waking?.thread;
  let from = waking?.time ?? -Infinity;
  return found.flatMap(({ after, receipts }) => {
    const first = after === head ? head : undefined;
    const all = first !== undefined && waking === undefined ? [head, ...receipts] : receipts;
    const group = {
      ...{ from, to: after.time, receipts: all, first },
      ...{ waking: first && waking, thread },
    };
    from = after.time;
    return first === undefined && receipts.length === 0 ? [] : [group];
  });
}

/** The first copies after a time and until another, so many at the most. */
function between(copies: readonly Copy[], { from, to, thread }: Group, count: number): Copy[] {
  const found: Copy[] = [];
  for (let at = indexAfter(copies, from); found.length < count; at++) {
    const copy = copies[at];
    if (copy === undefined || copy.time > to) break;
    if (!copy.isUsed && (thread ?? copy.thread) === copy.thread) found.push(copy);
  }
  return found;
}

/** The last copies until a time, so many at the most. */
function before(copies: readonly Copy[], { to, thread }: Group, count: number): Copy[] {
  const found: Copy[] = [];
  for (let at = indexAfter(copies, to) - 1; found.length < count; at--) {
    const copy = copies[at];
    if (copy === undefined) break;
    if (!copy.isUsed && (thread ?? copy.thread) === copy.thread) found.unshift(copy);
  }
  return found;
}

/** The first index of what is later than a time. */
function indexAfter(copies: readonly Copy[], time: number): number {
  let [low, high] = [0, copies.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((copies[middle]?.time ?? Infinity) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}
