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

/** An id as a trace names it; empty where it says that there is none, as it may with zeros. */
export function idIn(text: string): string {
  return /^0*$/.test(text) ? "" : text;
}
