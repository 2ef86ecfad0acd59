import { type CodeAttributes, codeAttribute, type Places } from "./places.js";
import { idIn, type Span } from "./span.js";

type Json = Record<string, unknown>;

/**
 * Reads one message in the JSON form of OTLP: `TracesData`, or a request of the exporter, which looks the same. What is no
 * part of that is passed over.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function readJson(message: unknown, places: Places, each: (span: Span) => void): void {
  for (const resource of listOf(message, "resourceSpans")) {
    for (const scope of listOf(resource, "scopeSpans", "instrumentationLibrarySpans")) {
      for (const span of listOf(scope, "spans")) {
        const read = spanOf(span as Json, places);
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

function spanOf(span: Json, places: Places): Span | undefined {
  const { traceId, spanId, parentSpanId, name, kind } = span;
  const start = timeOf(span["startTimeUnixNano"]);
  const end = timeOf(span["endTimeUnixNano"]);
  if (typeof spanId !== "string" || spanId === "" || Number.isNaN(start)) return undefined;
  return {
    trace: typeof traceId === "string" ? traceId : "",
    id: spanId,
    parent: typeof parentSpanId === "string" ? idIn(parentSpanId) : "",
    name: typeof name === "string" ? name : "",
    kind: kindOf(kind),
    start,
    duration: Number.isNaN(end) ? 0 : Math.max(0, end - start),
    place: places.of(attributesOf(span["attributes"])),
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
  if (text === "") return NaN;
  let milliseconds = 0;
  let nanoseconds = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return NaN;
    if (at < text.length - 6) milliseconds = 10 * milliseconds + digit;
    else nanoseconds = 10 * nanoseconds + digit;
  }
  return milliseconds + nanoseconds / 1e6;
}

function attributesOf(list: unknown): CodeAttributes {
  const found: CodeAttributes = [];
  if (!Array.isArray(list)) return found;
  for (const item of list as Json[]) {
    const which = codeAttribute(String(item["key"]));
    if (which < 0) continue;
    const { stringValue, intValue } = (item["value"] ?? {}) as Json;
    const value = stringValue ?? intValue;
    if (typeof value === "string" || typeof value === "number") found[which] = String(value);
  }
  return found;
}
