/** Data that was copied, maybe for a message. */
interface Copy {
  readonly key: number;
  readonly thread: number;
  readonly time: number;
  /** The port that it is sent by; empty if nobody has said so. */
  readonly port: string;
  /** The task that was posted after it, or 0. */
  wake: number;
  isUsed: boolean;
}

/** A message that was handled. */
interface Receipt {
  readonly key: number;
  readonly task: number;
  /** When its port has looked how many more there are. */
  time: number;
  /** Tasks that were posted then: one for each that is left, as far as there was none before. */
  readonly reads: number[];
}

/** Messages that a port has handled one after the other without a pause. */
interface Chain {
  readonly head: Receipt;
  /** The message that has woken the port, if one has. */
  readonly waking: Copy | undefined;
  /** What the port has found after each, and whether that was the head. */
  readonly found: readonly { readonly after: Receipt; readonly receipts: readonly Receipt[] }[];
}

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

/**
 * Finds out which message of a port is which. They have no numbers, but:
 *
 * - a message wakes its receiver with a task if the port has nothing to do;
 * - after each message, the port posts one task for each that has come since, and handles one in each;
 * - what is sent first is received first.
 *
 * Where the page's helper says by which port a message is sent, these are found by that; else by the times only, where
 * several ports that are busy at once may be mixed up.
 */
export class PortMessages {
  private readonly copies = new Map<number, Copy>();
  private readonly receipts = new Map<number, Receipt>();

  /** Data is copied, which has this key. */
  copied(key: number, thread: number, time: number, port: string): void {
    this.copies.set(key, { key, thread, time, port, wake: 0, isUsed: false });
  }

  /** The copy of this key was for something else. */
  dropped(key: number): void {
    this.copies.delete(key);
  }

  /** After the copy of this key, that task is posted. */
  woke(key: number, task: number): void {
    const copy = this.copies.get(key);
    if (copy !== undefined) copy.wake = task;
  }

  /** In that task, a message is handled, which this key stands for. */
  accepts(key: number, task: number, time: number): void {
    this.receipts.set(key, { key, task, time, reads: [] });
  }

  /** After that one, that task is posted. */
  read(key: number, task: number): void {
    this.receipts.get(key)?.reads.push(task);
  }

  /** The task of that has ended. */
  accepted(key: number, time: number): void {
    const receipt = this.receipts.get(key);
    if (receipt !== undefined) receipt.time = time;
  }

  /** The keys of copies by those of messages that are handled. To be called once, when all is known. */
  join(): Map<number, number> {
    const joined = new Map<number, number>();
    const all = [...this.copies.values()].sort((one, other) => one.time - other.time);
    const join = (receipts: readonly Receipt[], copies: readonly Copy[]): void => {
      receipts.slice(0, copies.length).forEach(({ key }, at) => {
        const copy = copies[at];
        if (copy === undefined) return;
        copy.isUsed = true;
        joined.set(key, copy.key);
      });
    };
    const rest = joinByPorts(this.chains(), all, join);
    joinByTimes(
      rest.flatMap(groupsOf).sort((one, other) => one.to - other.to),
      all.filter(({ port }) => port === ""),
      join,
    );
    return joined;
  }

  /** What was handled without a pause, those first that have begun first. */
  private chains(): Chain[] {
    const receipts = [...this.receipts.values()];
    const woken = [...this.copies.values()].filter(({ wake }) => wake !== 0);
    const wakes = new Map(woken.map((copy) => [copy.wake, copy]));
    const byTask = new Map(receipts.map((receipt) => [receipt.task, receipt]));
    const next = new Map(
      receipts.map((it) => [it, it.reads.flatMap((task) => byTask.get(task) ?? [])]),
    );
    const later = new Set([...next.values()].flat());
    const heads = receipts.filter((it) => !later.has(it));
    return heads
      .sort((one, other) => one.time - other.time)
      .map((head) => {
        const found: { after: Receipt; receipts: readonly Receipt[] }[] = [];
        const queue = [head];
        for (const after of queue) {
          const more = next.get(after) ?? [];
          queue.push(...more);
          found.push({ after, receipts: more });
        }
        return { head, waking: wakes.get(head.task), found };
      });
  }
}

type Join = (receipts: readonly Receipt[], copies: readonly Copy[]) => void;

/** Joins what is sent by a port that is known; returns what is left. */
function joinByPorts(chains: readonly Chain[], copies: readonly Copy[], join: Join): Chain[] {
  const queues = new Map<string, Copy[]>();
  for (const copy of copies.filter(({ port }) => port !== "")) {
    const queue = queues.get(copy.port);
    if (queue === undefined) queues.set(copy.port, [copy]);
    else queue.push(copy);
  }
  return chains.filter(({ head, waking, found }) => {
    const receipts = [head, ...found.flatMap((it) => it.receipts)];
    const port = waking === undefined ? startedPort(queues, receipts) : waking.port;
    const queue = queues.get(port);
    if (queue === undefined) return true;
    join(receipts, queue.splice(0, receipts.length));
    return false;
  });
}

/** The port whose messages a port may find that nothing has woken: the one that has waited longest. */
function startedPort(queues: ReadonlyMap<string, Copy[]>, receipts: readonly Receipt[]): string {
  const [first, last] = [receipts[0]?.time ?? 0, receipts.at(-1)?.time ?? 0];
  let [best, oldest] = ["", first];
  for (const [port, [copy, ...rest]] of queues) {
    if (copy === undefined || copy.time >= oldest) continue;
    if ((rest[receipts.length - 2]?.time ?? -Infinity) > last) continue;
    [best, oldest] = [port, copy.time];
  }
  return best;
}

/** Joins messages of which only times are known. */
function joinByTimes(groups: readonly Group[], all: readonly Copy[], join: Join): void {
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
function groupsOf({ head, waking, found }: Chain): Group[] {
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
