import { TypeFlag } from "../format/layout.js";
import type { ThreadWriter } from "../format/thread-writer.js";
import type { Sites } from "./sites.js";

/** Milliseconds after which what is recorded is written, full chunk or not: no more than that is lost to a kill. */
export const FLUSH_INTERVAL = 100;

/** What the hooks of one thread share. */
export interface Recording {
  readonly writer: ThreadWriter;
  readonly sites: Sites;
  /** Units since the recording began. */
  readonly now: () => number;
  /** Resources that are the recorder's own, which no trace shows. */
  readonly own: Set<number>;
  /** Whether what is registered now is the recorder's own. */
  ours: boolean;
}

/** Resources that run before the event loop goes on (`process.nextTick`, `queueMicrotask`, reactions). */
const MICROTASKS: ReadonlySet<string> = new Set(["PROMISE", "TickObject", "Microtask"]);

/** The types of resources, by the names that Node gives them. */
export class ResourceTypes {
  private readonly numbers = new Map<string, number>();

  constructor(private readonly writer: ThreadWriter) {}

  /** The number of a type, which is introduced if it is new. */
  number(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.writer.defineType(name, MICROTASKS.has(name) ? TypeFlag.MICROTASK : 0);
      this.numbers.set(name, number);
    }
    return number;
  }
}

/** Whether a resource is an interval, as far as it shows: Node has no other sign. */
export function repeats(resource: object): boolean {
  return "_repeat" in resource && typeof resource._repeat === "number";
}
