import type { Chain, Copy, Receipt } from "./port-chains.js";
import { joinByNames } from "./port-names.js";
import { PortPairs } from "./port-pairs.js";
import { groupsOf, joinByTimes } from "./port-times.js";

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
  private readonly pairs = new PortPairs();

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
    this.receipts.set(key, { key, task, port: "", time, reads: [] });
  }

  /** The message that this key stands for has come to this port. */
  receivedBy(key: number, port: string): void {
    const receipt = this.receipts.get(key);
    if (receipt !== undefined) receipt.port = port;
  }

  /** What the page's helper says: `channel` of two ports, `moved` or `closed` of one. */
  told(what: string, port: string, other: string): void {
    if (what === "channel") this.pairs.connect(port, other);
    else this.pairs.left(what, port);
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
    const rest = joinByNames(this.chains(), all, this.pairs, join);
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
        const seen = new Set(queue);
        for (const after of queue) {
          const more = (next.get(after) ?? []).filter((it) => !seen.has(it));
          for (const each of more) seen.add(each);
          queue.push(...more);
          found.push({ after, receipts: more });
        }
        return { head, waking: wakes.get(head.task), found };
      });
  }
}
