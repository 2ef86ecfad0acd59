import { findSourceMap } from "node:module";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

import type { ThreadWriter } from "../format/thread-writer.js";
import { table } from "./recording.js";

/** Whose place in the source is looked up: of all registrations, of some, or of none. */
export type SiteMode = "all" | "sampled" | "none";

/** The share of the time that looking up places may take. */
const SHARE = 0.01;
/** Frames that are asked for: the recorder's own and Node's stand above the program's. */
const FRAMES = 50;
/** How many samples there are at most between two looks at what they have taken. */
const ROUND = 32;

/** Clocks may be replaced by tests of the program. */
const now = performance.now.bind(performance);

/**
 * Looks up where registrations stand. A stack takes some microseconds to read, so only each n-th registration is
 * looked up, with n such that it stays within {@link SHARE} of the time that the program is busy.
 */
export class Sites {
  private readonly known = table<number>();
  private interval = 1;
  private left = 1;
  private since = 0;
  private taken = 0;
  private samples = 0;
  private looking = false;

  constructor(
    private readonly writer: ThreadWriter,
    private readonly mode: SiteMode,
    /** What the recorder's own frames have for a file. */
    private readonly own: string,
  ) {
    if (mode === "none") this.left = Infinity;
  }

  /** The same of a promise that nothing is chained on, which seldom comes to run. */
  sampleSeldom(): void {
    if (this.mode === "all") this.sample();
  }

  /** To be called before each registration: says where that stands, if it is its turn. */
  sample(): void {
    this.since++;
    // What a program has put on `Error` may itself register something.
    if (--this.left > 0 || this.looking) return;
    const begin = now();
    this.looking = true;
    let site: number | undefined;
    try {
      site = this.current();
    } catch {
      // A name that is no address, a map that is broken: there is no place then.
    } finally {
      this.looking = false;
    }
    if (site !== undefined) this.writer.site(site, this.since);
    this.since = 0;
    this.taken += now() - begin;
    // A fixed interval would always meet the same one of a loop's registrations.
    this.left = this.mode === "all" ? 1 : 1 + Math.floor(Math.random() * (2 * this.interval - 1));
    if (++this.samples % ROUND === 0) this.adjust();
  }

  private busy = 0;

  private adjust(): void {
    const { utilization, active } = performance.eventLoopUtilization();
    const busy = utilization === 0 ? now() : active;
    const share = this.taken / Math.max(busy - this.busy, 0.001);
    this.interval = Math.min(4096, Math.max(1, Math.round((this.interval * share) / SHARE)));
    this.busy = busy;
    this.taken = 0;
  }

  private current(): number | undefined {
    const frame = this.frame();
    const file = frame?.getFileName() ?? undefined;
    if (frame === undefined || file === undefined) return undefined;
    const line = frame.getLineNumber() ?? 0;
    const column = frame.getColumnNumber() ?? 0;
    const key = `${file}:${line}:${column}`;
    const name = frame.getFunctionName() ?? "";
    return (this.known[key] ??= this.writer.defineSite(name, ...asWritten(file, line, column)));
  }

  /** The innermost frame that is the program's; those that only wait for what runs have registered nothing. */
  private frame(): NodeJS.CallSite | undefined {
    for (const site of stack()) {
      if (site.isAsync()) return undefined;
      const file = site.getFileName();
      if (!file || file === this.own || /^(?:node|wasm):/.test(file)) continue;
      return site;
    }
    return undefined;
  }
}

/**
 * The frames of now; what the program has set is as before afterwards, and is not called. `util.getCallSites` takes twice
 * as long.
 */
function stack(): readonly NodeJS.CallSite[] {
  // What is replaced has to be put back: that must not fail since the program's recursion has used up the stack.
  needsRoom(ROOM);
  const before = {
    prepareStackTrace: Object.getOwnPropertyDescriptor(Error, "prepareStackTrace"),
    stackTraceLimit: Object.getOwnPropertyDescriptor(Error, "stackTraceLimit"),
  };
  try {
    const common = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(Error, "stackTraceLimit", { ...common, value: FRAMES });
    Object.defineProperty(Error, "prepareStackTrace", {
      ...common,
      value: (_: Error, sites: NodeJS.CallSite[]) => sites,
    });
    const { stack: sites } = new Error() as unknown as { stack: NodeJS.CallSite[] };
    return Array.isArray(sites) ? sites : [];
  } catch {
    // The program has frozen `Error`.
    return [];
  } finally {
    restore(before);
  }
}

/** How many small frames have to fit on the stack for a look at it. */
const ROOM = 100;

/** @throws RangeError if so many frames do not fit on the stack any more */
function needsRoom(frames: number): number {
  return frames === 0 ? 0 : 1 + needsRoom(frames - 1);
}

/** What the program has on `Error` is as before, also where it has deleted it. */
function restore(before: Readonly<Record<string, PropertyDescriptor | undefined>>): void {
  for (const name of ["prepareStackTrace", "stackTraceLimit"]) {
    const property = before[name];
    try {
      if (property === undefined) Reflect.deleteProperty(Error, name);
      else Object.defineProperty(Error, name, property);
    } catch {
      // It is frozen, and so nothing of it has changed.
    }
  }
}

/** A place in what a person has written: what Node has loaded may be compiled, with a source map. */
function asWritten(file: string, line: number, column: number): [string, number, number] {
  const entry = findSourceMap(file)?.findEntry(line - 1, column - 1);
  const path = (name: string): string => (name.startsWith("file:") ? fileURLToPath(name) : name);
  if (entry === undefined || !("originalSource" in entry)) return [path(file), line, column];
  return [path(entry.originalSource), entry.originalLine + 1, entry.originalColumn + 1];
}
