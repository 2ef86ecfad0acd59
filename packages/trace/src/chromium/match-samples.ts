/** A sample of a profile with the line that ran. */
export interface Sample {
  /** In nanoseconds of the profile's own clock. */
  readonly time: number;
  readonly node: number;
  readonly line: number;
  readonly column: number;
}

/** An event that has a sample of its own, by the number of that. */
export interface SampledEvent {
  readonly event: number;
  /** In nanoseconds. */
  readonly time: number;
  readonly node: number;
}

/** One way to match events with samples, up to some event. */
interface Path {
  /** The place of the last sample that an event has. */
  readonly index: number;
  /** What the profile's clock is ahead of that of events, in nanoseconds. */
  readonly drift: number;
  /** How improbable the path is, in nanoseconds. */
  readonly cost: number;
  readonly event: number;
  /** The sample of the event; nothing if it has none. */
  readonly sample: Sample | undefined;
  readonly before: Path | undefined;
}

/** What it costs at most that clocks differ by something else than before, and what it costs to have no sample. */
const JUMP = 300_000;
const MISSING = 1_000_000;
/** How many paths are followed at once. */
const WIDTH = 24;

/**
 * Finds the sample of each event. Both are in their order, and an event's sample is of the same node; others were taken
 * from time to time. Clocks differ, sometimes by milliseconds, but by the same for a while: that is what the likeliest
 * path is found by.
 */
export class SampleMatcher {
  private paths: Path[] = [];
  private count = 0;

  /** Takes the next part of a profile. */
  add(events: readonly SampledEvent[], samples: readonly Sample[]): void {
    const byNode = new Map<number, { sample: Sample; index: number }[]>();
    for (const sample of samples) {
      const candidate = { sample, index: this.count++ };
      const list = byNode.get(sample.node);
      if (list === undefined) byNode.set(sample.node, [candidate]);
      else list.push(candidate);
    }
    for (const event of events) {
      const candidates = byNode.get(event.node);
      if (candidates !== undefined) this.paths = this.follow(event, candidates);
    }
  }

  /** Calls `each` with all events that have a sample, by their numbers, along the likeliest path. */
  end(each: (event: number, sample: Sample) => void): void {
    let [path] = this.paths;
    for (; path !== undefined; path = path.before) {
      if (path.sample !== undefined) each(path.event, path.sample);
    }
    this.paths = [];
  }

  /** The paths up to an event, the likeliest first. */
  private follow(
    { event, time }: SampledEvent,
    candidates: readonly { readonly sample: Sample; readonly index: number }[],
  ): Path[] {
    const paths = this.paths.map((before): Path => {
      const cost = before.cost + MISSING;
      return { index: before.index, drift: before.drift, cost, event, sample: undefined, before };
    });
    for (const { sample, index } of candidates) {
      const drift = sample.time - time;
      let cost = this.paths.length === 0 ? Math.min(JUMP, Math.abs(drift)) : Infinity;
      let before: Path | undefined;
      for (const path of this.paths) {
        if (path.index >= index) continue;
        const whole = path.cost + Math.min(JUMP, Math.abs(drift - path.drift));
        if (whole < cost) [cost, before] = [whole, path];
      }
      if (cost < Infinity) paths.push({ index, drift, cost, event, sample, before });
    }
    return paths.sort((one, other) => one.cost - other.cost).slice(0, WIDTH);
  }
}
