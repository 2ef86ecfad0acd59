/** What the two hashes begin with. */
const HIGH = 0x811c9dc5;
const LOW = 0x1b873593;

/** Makes numbers of the ids of spans. */
export class Ids {
  /** Spans of one trace often come one after the other: its hashes are kept. */
  private trace = "";
  private traceHigh = HIGH;
  private traceLow = LOW;
  private high = HIGH;
  private low = LOW;

  /** A number from 1 to 2^53 for a span of a trace, which no other one is likely to have (two hashes in the manner of FNV-1a). */
  of(trace: string, id: string): number {
    if (trace !== this.trace) {
      this.mix(HIGH, LOW, trace);
      this.trace = trace;
      this.traceHigh = this.high;
      this.traceLow = this.low;
    }
    this.mix(this.traceHigh, this.traceLow, id);
    return (this.high >>> 0) * 2 ** 21 + (this.low >>> 11) + 1;
  }

  private mix(high: number, low: number, text: string): void {
    for (let at = 0; at < text.length; at++) {
      // Some write digits large.
      const code = text.charCodeAt(at) | 32;
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ code, 0x85ebca6b);
    }
    this.high = high;
    this.low = low;
  }
}
