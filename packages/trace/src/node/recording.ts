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
  /** The last two resources that are the recorder's own, which no trace shows: it has not more at once. */
  readonly own: [number, number];
  /** Whether what is registered now is the recorder's own. */
  ours: boolean;
}

/** Whether a resource is the recorder's own. */
export function isOwn({ own }: Recording, id: number): boolean {
  return id === own[0] || id === own[1];
}

/** Resources that run before the event loop goes on (`process.nextTick`, `queueMicrotask`, reactions). */
const MICROTASKS: Readonly<Record<string, number>> = Object.assign(table<number>(), {
  PROMISE: TypeFlag.MICROTASK,
  TickObject: TypeFlag.MICROTASK,
  Microtask: TypeFlag.MICROTASK,
});

/** The types of resources, by the names that Node gives them. */
export class ResourceTypes {
  /** No `Map`: the program may replace what that has. */
  private readonly numbers = table<number>();

  constructor(private readonly writer: ThreadWriter) {}

  /** The number of a type, which is introduced if it is new. */
  number(name: string): number {
    const { numbers } = this;
    return (numbers[name] ??= this.writer.defineType(name, MICROTASKS[name] ?? 0));
  }
}

/** An object without a prototype. */
export function table<T>(): Record<string | number, T> {
  return Object.create(null) as Record<string | number, T>;
}

/** Whether a resource is an interval, as far as it shows: Node has no other sign. */
export function repeats(resource: object): boolean {
  return "_repeat" in resource && typeof resource._repeat === "number";
}
