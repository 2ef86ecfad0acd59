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

/** Whether an attribute says something of a place. */
export function isOfPlace(key: string): boolean {
  return key.startsWith("code.");
}

/** The place that attributes name. */
export function placeOf(attributes: ReadonlyMap<string, string>): Place | undefined {
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => attributes.get(name)).find((it) => it !== undefined);
  const [file, line] = [first(FILE), Number(first(LINE))];
  if (file === undefined || !Number.isInteger(line) || line < 1) return undefined;
  const column = Number(first(COLUMN) ?? 0);
  return { file, line, column: Number.isInteger(column) && column > 0 ? column : 0 };
}
