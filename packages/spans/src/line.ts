/** Some instrumentations tell the begin of a span in whole milliseconds. */
const CLOCK = 1;

/** A span that has been given its place; its new times are from the begin of the parent. */
export interface Laid {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
  /** When what has waited for it goes on. */
  readonly join: number;
  /** When the program comes to it, in its own order. */
  readonly arrival: number;
  /** How long the program has been busy until then with what is no span. */
  readonly own: number;
}

/** What decides when a span begins that may begin early. */
export interface Mover {
  /** From when the program comes to it; nothing where it is then. */
  start(draft: Laid): number | undefined;
  /** Called with what has become of it. */
  laid(laid: Laid): void;
}

/** What happens in a span, in its order. */
export class Line {
  /** All so far, by their ends. */
  private readonly ends: Laid[] = [];
  /** For each of them when it and all before it have ended now. */
  private readonly reached: number[] = [];

  constructor(private readonly start: number) {}

  /** Gives the next span, by its begin, its place: when it begins now. `length` is how long it is now. */
  place(start: number, end: number, length: number, mover: Mover | undefined): number {
    const { arrival, own } = this.arrive(start);
    const draft = { start, end, arrival, own, newStart: arrival, newEnd: arrival + length };
    const early = mover?.start({ ...draft, join: draft.newEnd });
    // Nothing begins later than in the program's own order.
    const newStart = Math.min(arrival, early ?? arrival);
    const newEnd = newStart + length;
    // Where it has been started early, it is still waited for where it was before.
    const laid = { ...draft, newStart, newEnd, join: Math.max(newEnd, arrival) };
    mover?.laid(laid);
    this.insert(laid);
    return newStart;
  }

  /** When a time of the parent is reached now. */
  reach(time: number): number {
    return this.arrive(time).arrival;
  }

  private arrive(time: number): { arrival: number; own: number } {
    const count = this.endedAt(time);
    const last = this.lastBefore(count, time);
    const gap = time - (last?.end ?? this.start);
    const all = this.reached[count - 1] ?? 0;
    return { arrival: Math.max((last?.join ?? 0) + gap, all), own: (last?.own ?? 0) + gap };
  }

  /** How many have ended at a time. */
  private endedAt(time: number): number {
    let [low, high] = [0, this.ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ends[middle]?.end ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What was waited for last: also what ends a little later only for the clock. */
  private lastBefore(count: number, time: number): Laid | undefined {
    let found = this.ends[count - 1];
    for (let at = count; at < this.ends.length; at++) {
      const next = this.ends[at];
      if (next === undefined || next.end > time + CLOCK) break;
      if (isBehind(time, next)) found = next;
    }
    return found;
  }

  private insert(laid: Laid): void {
    let at = this.ends.length;
    while (at > 0 && (this.ends[at - 1]?.end ?? 0) > laid.end) at--;
    this.ends.splice(at, 0, laid);
    for (; at < this.ends.length; at++) {
      this.reached[at] = Math.max(this.reached[at - 1] ?? 0, this.ends[at]?.join ?? 0);
    }
  }
}

/** Whether what begins at a time has not waited for another to end, as far as the clock can say. */
export function isAhead(time: number, other: { readonly end: number }): boolean {
  return other.end - time > CLOCK;
}

/** Whether what begins at a time has waited for another to end, as far as the clock can say. */
export function isBehind(
  time: number,
  other: { readonly start: number; readonly end: number },
): boolean {
  const over = other.end - time;
  return over <= 0 || (over <= CLOCK && over <= (other.end - other.start) / 2);
}
