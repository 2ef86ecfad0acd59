/** What kinds of spans there are, by their numbers in OTLP (`Span.SpanKind`). */
export const Kind = { INTERNAL: 1, SERVER: 2, CLIENT: 3, PRODUCER: 4, CONSUMER: 5 } as const;

/** A place in the source. */
export interface Place {
  /** As the trace names it: maybe of another machine. */
  readonly file: string;
  /** From one. */
  readonly line: number;
  /** From one; 0 where nothing is said. */
  readonly column: number;
  /** Who has called what stands there, the innermost first, as far as it is said. */
  readonly callers: readonly Place[];
}

/** One span, as far as it matters here. No attribute is kept but those that say where it was started. */
export interface Span {
  /** In hexadecimal digits, as are the other ids. */
  readonly trace: string;
  readonly id: string;
  /** Empty where there is none. */
  readonly parent: string;
  readonly name: string;
  readonly kind: number;
  /** In milliseconds since 1970. */
  readonly start: number;
  /** In milliseconds; never negative. */
  readonly duration: number;
  readonly place: Place | undefined;
}

/** The names of attributes that say where a span was started: those of semantic conventions 1.30 on, and those before. */
const FILE = ["code.file.path", "code.filepath"];
const LINE = ["code.line.number", "code.lineno"];
const COLUMN = ["code.column.number", "code.column"];

/** An id as a trace names it; empty where it says that there is none, as it may with zeros. */
export function idIn(text: string): string {
  return /^0*$/.test(text) ? "" : text;
}

/** Whether an attribute says something of a place. */
export function isOfPlace(key: string): boolean {
  return key.startsWith("code.");
}

/** The place that attributes name. */
export function placeOf(attributes: ReadonlyMap<string, string>): Place | undefined {
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => attributes.get(name)).find((it) => it !== undefined);
  const frames = framesOf(attributes.get("code.stacktrace") ?? "");
  const [file, line] = [first(FILE), Number(first(LINE))];
  if (file === undefined || !Number.isInteger(line) || line < 1) return placeIn(frames);
  const column = Number(first(COLUMN) ?? 0);
  const callers = frames.slice(1);
  return { file, line, column: Number.isInteger(column) && column > 0 ? column : 0, callers };
}

function placeIn([first, ...callers]: readonly Place[]): Place | undefined {
  return first === undefined ? undefined : { ...first, callers };
}

/** The most frames of a stack that are kept. */
const MOST_FRAMES = 16;

/** The places of a stack as V8 writes it. */
function framesOf(stack: string): Place[] {
  const places: Place[] = [];
  for (const line of stack.split("\n")) {
    const match = /^\s*at (?:.*\()?(.+?):(\d+):(\d+)\)?$/.exec(line);
    if (match === null) continue;
    const [, file = "", row, column] = match;
    places.push({ file, line: Number(row), column: Number(column), callers: [] });
    if (places.length === MOST_FRAMES) break;
  }
  return places;
}
