import { type HeldFunction, LateCalls } from "./otel-calls.js";
import { programFrames } from "./otel-frames.js";

export type { HeldFunction } from "./otel-calls.js";

/** What this needs of a span of OpenTelemetry's SDK, of whatever version. */
interface StartedSpan {
  /** `SpanKind.CLIENT` is 2 in its API, `PRODUCER` 3. */
  readonly kind?: number;
  setAttribute(key: string, value: string | number): unknown;
}

/** What may be set. */
export interface CodePlacesOptions {
  /**
   * The share of spans whose place is looked up, from 0 to 1; all of them by default. A look takes tens of microseconds, the more
   * the deeper the calls are at that place.
   */
  readonly sample?: number;
  /**
   * Functions beside `fetch` that start their work only later, so that nothing shows then who has called them: those of pools
   * of connections, such as `[pg.Pool.prototype, "query"]`.
   */
  readonly calls?: readonly HeldFunction[];
}

const [CLIENT, PRODUCER] = [2, 3];

/**
 * Says at each span of an outgoing call which line of the program made it: the attributes `code.file.path`,
 * `code.line.number`, `code.column.number` and `code.stacktrace` of OpenTelemetry's semantic conventions, by which
 * `headstart waterfalls` finds it again. Where the line is not sure, it says nothing. A processor of spans, to be put in front of
 * what exports. It wraps the global `fetch`, and what is named under `calls`.
 */
export class CodePlaces {
  readonly #sample: number;
  readonly #calls = new LateCalls(() => this.#isSampled());

  /** @throws {TypeError} where `sample` or `calls` are something else than they are said to be */
  constructor(options: CodePlacesOptions = {}) {
    const { sample, calls } = checked(options);
    this.#sample = sample;
    this.#calls.followAlone(globalThis, "fetch");
    for (const [object, name] of calls) this.#calls.follow(object, name);
  }

  /** Called by the SDK. */
  onStart(span: StartedSpan): void {
    try {
      this.#place(span);
    } catch {
      // A program goes on without the place, whatever may be wrong with its span.
    }
  }

  #place(span: StartedSpan): void {
    if (span.kind !== CLIENT && span.kind !== PRODUCER) return;
    const called = this.#calls.callerOf(span);
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
  onEnd(span?: object): void {
    // Whether an operation is over says to whom those belong that come after it.
    if (span !== undefined) this.#calls.ended(span);
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
}

const CALLS =
  'calls is a list of functions by what holds them, such as [[pg.Pool.prototype, "query"]]';

/** Options as somebody has written them who does not check types. */
function checked(options: unknown): Required<CodePlacesOptions> {
  if (typeof options !== "object" || options === null) {
    throw new TypeError("CodePlaces takes an object of options");
  }
  const { sample = 1, calls = [] } = options as { sample?: unknown; calls?: unknown };
  if (typeof sample !== "number" || !(sample >= 0 && sample <= 1)) {
    throw new TypeError(`sample is a number from 0 to 1, not ${String(sample)}`);
  }
  if (!Array.isArray(calls) || !calls.every(isHeld)) throw new TypeError(CALLS);
  return { sample, calls };
}

function isHeld(call: unknown): call is HeldFunction {
  if (!Array.isArray(call) || call.length !== 2) return false;
  const [object, name] = call as unknown[];
  const isHolder = typeof object === "function" || (typeof object === "object" && object !== null);
  return isHolder && typeof name === "string";
}
