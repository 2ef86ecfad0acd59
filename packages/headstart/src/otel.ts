import { AsyncLocalStorage } from "node:async_hooks";
import { fileURLToPath } from "node:url";

/** What this needs of a span of OpenTelemetry's SDK, of whatever version. */
interface StartedSpan {
  /** `SpanKind.CLIENT` is 2 in its API, `PRODUCER` 3. */
  readonly kind?: number;
  setAttribute(key: string, value: string | number): unknown;
}

/** A function by what holds it, such as `[pg.Pool.prototype, "query"]`. */
export type HeldFunction = readonly [object: object, name: string];

/** What may be set. */
export interface CodePlacesOptions {
  /** The share of spans whose place is looked up, from 0 to 1; all of them by default. A look takes some microseconds. */
  readonly sample?: number;
  /**
   * Functions beside `fetch` that start their work only later, so that nothing shows then who has called them: those of pools
   * of connections, such as `[pg.Pool.prototype, "query"]`.
   */
  readonly calls?: readonly HeldFunction[];
}

interface Frame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** As V8 writes it, without what is in front. */
  readonly text: string;
}

const [CLIENT, PRODUCER] = [2, 3];
/** Frames that are asked for: those of instrumentations and clients stand above the program's. */
const FRAMES = 60;
/** Frames that are kept: those who have called the caller, too, since a helper may be all that calls. */
const KEPT = 8;
/** Code that is not the program's: whose call it is shows below. */
const FOREIGN = /[\\/]node_modules[\\/]|^node:|^internal[\\/]/;
const OWN = fileURLToPath(import.meta.url);

/**
 * Says at each span of an outgoing call which line of the program made it: the attributes `code.file.path`,
 * `code.line.number`, `code.column.number` and `code.stacktrace` of OpenTelemetry's semantic conventions, by which
 * `headstart waterfalls` finds it again. A processor of spans, to be put in front of what exports. It wraps the global `fetch`, and
 * what is named under `calls`.
 */
export class CodePlaces {
  readonly #sample: number;
  /** Who has called one of the functions that are wrapped. */
  readonly #callers = new AsyncLocalStorage<readonly Frame[]>();

  constructor({ sample = 1, calls = [] }: CodePlacesOptions = {}) {
    this.#sample = sample;
    for (const [object, name] of [[globalThis, "fetch"] as const, ...calls]) {
      this.#wrap(object as Record<string, unknown>, name);
    }
  }

  /** Called by the SDK. */
  onStart(span: StartedSpan): void {
    if (span.kind !== CLIENT && span.kind !== PRODUCER) return;
    const called = this.#callers.getStore();
    if (called === undefined && !this.#isSampled()) return;
    const frames = called ?? programFrames();
    const [first] = frames;
    if (first === undefined) return;
    span.setAttribute("code.file.path", first.file);
    span.setAttribute("code.line.number", first.line);
    span.setAttribute("code.column.number", first.column);
    span.setAttribute("code.stacktrace", frames.map(({ text }) => `    at ${text}`).join("\n"));
  }

  /** Called by the SDK. */
  onEnd(): void {
    // All has been said at the start.
  }

  /** Called by the SDK. */
  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  /** Called by the SDK. */
  shutdown(): Promise<void> {
    return Promise.resolve();
  }

  #isSampled(): boolean {
    return this.#sample >= 1 || Math.random() < this.#sample;
  }

  #wrap(object: Record<string, unknown>, name: string): void {
    const before = object[name];
    if (typeof before !== "function") return;
    const isSampled = (): boolean => this.#isSampled();
    const callers = this.#callers;
    object[name] = new Proxy(before, {
      apply(target, self, values) {
        const call = (): unknown => Reflect.apply(target, self, values) as unknown;
        const frames = isSampled() ? programFrames() : [];
        return frames.length === 0 ? call() : callers.run(frames, call);
      },
    });
  }
}

/** The frames of the program, the innermost first: those that run, and those that wait for them. */
function programFrames(): Frame[] {
  const { stackTraceLimit } = Error;
  let stack: string | undefined;
  try {
    Error.stackTraceLimit = FRAMES;
    ({ stack } = new Error());
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const lines = typeof stack === "string" ? stack.split("\n") : [];
  return lines.flatMap((line) => frameOf(line) ?? []).slice(0, KEPT);
}

function frameOf(line: string): Frame | undefined {
  const match = /^\s+at (.*?\(?((?:file:\/\/)?[^() ]+):(\d+):(\d+)\)?)$/.exec(line);
  if (match === null) return undefined;
  const [, text = "", name = "", row, column] = match;
  const file = name.startsWith("file://") ? fileURLToPath(name) : name;
  if (FOREIGN.test(file) || file === OWN) return undefined;
  return { file, line: Number(row), column: Number(column), text };
}
