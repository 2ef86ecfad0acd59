/** What this needs of a span of OpenTelemetry's SDK, of whatever version. */
interface StartedSpan {
  /** `SpanKind.CLIENT` is 2 in its API, `PRODUCER` 3. */
  readonly kind?: number;
  setAttribute(key: string, value: string | number): unknown;
}

/** What may be set. */
export interface ProcessorOptions {
  /** The share of spans whose place is looked up, from 0 to 1; all of them by default. A look takes some microseconds. */
  readonly sample?: number;
}

const [CLIENT, PRODUCER] = [2, 3];
/** Frames that are asked for: those of instrumentations and clients stand above the program's. */
const FRAMES = 60;
/** Code that is not the program's: whose call it is shows below. */
const FOREIGN = /[\\/]node_modules[\\/]|^node:|^internal[\\/]/;

/**
 * Says at each span of an outgoing call which line of the program made it: the attributes `code.file.path`,
 * `code.line.number` and `code.column.number` of OpenTelemetry's semantic conventions, by which `headstart waterfalls` finds
 * it again. To be put in front of what exports:
 *
 * ```js
 * new NodeSDK({ spanProcessors: [new CodePlaces(), new BatchSpanProcessor(exporter)] });
 * ```
 */
export class CodePlaces {
  readonly #sample: number;

  constructor({ sample = 1 }: ProcessorOptions = {}) {
    this.#sample = sample;
  }

  /** Called by the SDK. */
  onStart(span: StartedSpan): void {
    if (span.kind !== CLIENT && span.kind !== PRODUCER) return;
    if (this.#sample < 1 && Math.random() >= this.#sample) return;
    const place = callerOf();
    if (place === undefined) return;
    span.setAttribute("code.file.path", place.file);
    span.setAttribute("code.line.number", place.line);
    span.setAttribute("code.column.number", place.column);
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
}

interface Frame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The innermost frame of the program, or, where only Node and packages run, the one that waits for them. */
function callerOf(): Frame | undefined {
  const { stackTraceLimit } = Error;
  let stack: string | undefined;
  try {
    Error.stackTraceLimit = FRAMES;
    ({ stack } = new Error());
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  for (const line of typeof stack === "string" ? stack.split("\n").slice(1) : []) {
    const match = /(?:\(|at (?:async )?)((?:file:\/\/)?[^()]+?):(\d+):(\d+)\)?$/.exec(line);
    const [, name = "", row, column] = match ?? [];
    const file = name.startsWith("file://")
      ? decodeURIComponent(name.slice("file://".length))
      : name;
    if (file === "" || FOREIGN.test(file) || file === own()) continue;
    return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** The file that this stands in, as stacks name it. */
function own(): string {
  return decodeURIComponent(import.meta.url.replace("file://", ""));
}
