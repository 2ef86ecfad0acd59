import { findSourceMap } from "node:module";
import { fileURLToPath } from "node:url";

import type { ThreadWriter } from "../format/thread-writer.js";
import * as own from "../own.js";
import { table } from "./recording.js";

/** Whose place in the source is looked up: of all registrations, of some, or of none. */
export type SiteMode = "all" | "sampled" | "none";

/** The share of the time that looking up places may take. */
const SHARE = 0.01;
/** Frames that are asked for: the recorder's own and Node's stand above the program's. */
const FRAMES = 50;
/** How many samples there are at most between two looks at what they have taken. */
const ROUND = 32;

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
  private readonly random = own.randomSource();

  constructor(
    private readonly writer: ThreadWriter,
    private readonly mode: SiteMode,
    /** What the recorder's own frames have for a file. */
    private readonly recorder: string,
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
    const begin = own.now();
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
    this.taken += own.now() - begin;
    // A fixed interval would always meet the same one of a loop's registrations.
    this.left = this.mode === "all" ? 1 : 1 + own.floor(this.random() * (2 * this.interval - 1));
    if (++this.samples % ROUND === 0) this.adjust();
  }

  private busy = 0;

  private adjust(): void {
    const busy = busyTime();
    const share = this.taken / own.max(busy - this.busy, 0.001);
    this.interval = own.min(4096, own.max(1, own.round((this.interval * share) / SHARE)));
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
    let site = this.known[key];
    if (site === undefined) {
      const place = asWritten(file, line, column);
      site = this.writer.defineSite(name, place.file, place.line, place.column);
      this.known[key] = site;
    }
    return site;
  }

  /** The innermost frame that is the program's; those that only wait for what runs have registered nothing. */
  private frame(): NodeJS.CallSite | undefined {
    const sites = stack();
    // eslint-disable-next-line @typescript-eslint/prefer-for-of -- the program may have replaced what iterates
    for (let at = 0; at < sites.length; at++) {
      const site = sites[at];
      if (site === undefined || site.isAsync()) return undefined;
      const file = site.getFileName();
      if (!file || file === this.recorder) continue;
      if (own.startsWith(file, "node:") || own.startsWith(file, "wasm:")) continue;
      return site;
    }
    return undefined;
  }
}

/** How long the program has been busy, in ms: before its event loop begins, it always is. */
function busyTime(): number {
  const { loopStart } = own.nodeTiming;
  return loopStart < 0 ? own.now() : loopStart + own.utilization().active;
}

/**
 * The frames of now; what the program has set is as before afterwards, and is not called. `util.getCallSites` takes twice
 * as long.
 */
function stack(): readonly NodeJS.CallSite[] {
  // What is replaced has to be put back: that must not fail since the program's recursion has used up the stack.
  needsRoom(ROOM);
  const before = {
    prepareStackTrace: own.getOwnPropertyDescriptor(own.OwnError, "prepareStackTrace"),
    stackTraceLimit: own.getOwnPropertyDescriptor(own.OwnError, "stackTraceLimit"),
  };
  try {
    const common = { configurable: true, enumerable: true, writable: true };
    own.defineProperty(own.OwnError, "stackTraceLimit", { ...common, value: FRAMES });
    own.defineProperty(own.OwnError, "prepareStackTrace", {
      ...common,
      value: (_: Error, sites: NodeJS.CallSite[]) => sites,
    });
    const { stack: sites } = new own.OwnError() as unknown as { stack: NodeJS.CallSite[] };
    return own.isArray(sites) ? sites : [];
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

interface Before {
  readonly prepareStackTrace: PropertyDescriptor | undefined;
  readonly stackTraceLimit: PropertyDescriptor | undefined;
}

/** What the program has on `Error` is as before, also where it has deleted it. */
function restore({ prepareStackTrace, stackTraceLimit }: Before): void {
  putBack("prepareStackTrace", prepareStackTrace);
  putBack("stackTraceLimit", stackTraceLimit);
}

function putBack(name: keyof Before, property: PropertyDescriptor | undefined): void {
  try {
    if (property === undefined) own.deleteProperty(own.OwnError, name);
    else own.defineProperty(own.OwnError, name, property);
  } catch {
    // It is frozen, and so nothing of it has changed.
  }
}

interface Written {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place in what a person has written: what Node has loaded may be compiled, with a source map. */
function asWritten(file: string, line: number, column: number): Written {
  const entry = findSourceMap(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !("originalSource" in entry)) {
    return { file: pathOf(file), line, column };
  }
  const { originalSource, originalLine, originalColumn } = entry;
  return { file: pathOf(originalSource), line: originalLine + 1, column: originalColumn + 1 };
}

function pathOf(name: string): string {
  return own.startsWith(name, "file:") ? fileURLToPath(name) : name;
}
