import { idIn, isOfPlace, placeOf, type Span } from "./span.js";

type Json = Record<string, unknown>;

/**
 * Reads one message in the JSON form of OTLP: `TracesData`, or a request of the exporter, which looks the same. What is no
 * part of that is passed over.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function readJson(message: unknown, each: (span: Span) => void): void {
  for (const resource of listOf(message, "resourceSpans")) {
    for (const scope of listOf(resource, "scopeSpans", "instrumentationLibrarySpans")) {
      for (const span of listOf(scope, "spans")) {
        const read = spanOf(span as Json);
        if (read !== undefined) each(read);
      }
    }
  }
}

/** Whether something may be a message. */
export function isMessage(value: unknown): boolean {
  return typeof value === "object" && value !== null && "resourceSpans" in value;
}

function listOf(value: unknown, ...names: readonly string[]): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  for (const name of names) {
    const list = (value as Json)[name];
    if (Array.isArray(list)) return list;
  }
  return [];
}

function spanOf(span: Json): Span | undefined {
  const { traceId, spanId, parentSpanId, name, kind } = span;
  const [start, end] = [timeOf(span["startTimeUnixNano"]), timeOf(span["endTimeUnixNano"])];
  if (typeof spanId !== "string" || spanId === "" || Number.isNaN(start)) return undefined;
  return {
    trace: typeof traceId === "string" ? traceId : "",
    id: spanId,
    parent: typeof parentSpanId === "string" ? idIn(parentSpanId) : "",
    name: typeof name === "string" ? name : "",
    kind: kindOf(kind),
    start,
    duration: Number.isNaN(end) ? 0 : Math.max(0, end - start),
    place: placeOf(attributesOf(span["attributes"])),
  };
}

const KINDS = ["", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];

/** As a number, or by its name, as some write it. */
function kindOf(kind: unknown): number {
  if (typeof kind === "number") return kind;
  return Math.max(0, KINDS.indexOf(String(kind).replace("SPAN_KIND_", "")));
}

/** Nanoseconds, of which JSON's numbers cannot hold all: as a text, in two halves. */
function timeOf(value: unknown): number {
  if (typeof value !== "string" && typeof value !== "number") return NaN;
  const text = typeof value === "number" ? BigInt(Math.round(value)).toString() : value;
  if (!/^\d+$/.test(text)) return NaN;
  return Number(text.slice(0, -6)) + Number(text.slice(-6)) / 1e6;
}

function attributesOf(list: unknown): Map<string, string> {
  const found = new Map<string, string>();
  if (!Array.isArray(list)) return found;
  for (const item of list as Json[]) {
    const key = String(item["key"]);
    if (!isOfPlace(key)) continue;
    const { stringValue, intValue } = (item["value"] ?? {}) as Json;
    const value = stringValue ?? intValue;
    if (typeof value === "string" || typeof value === "number") found.set(key, String(value));
  }
  return found;
}
