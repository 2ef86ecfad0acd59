import { context, trace } from "@opentelemetry/api";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  TracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace";

/** A span to be made: when it begins and ends, in ms from some time on, and what it has started. */
export interface Made {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** 2 is a call, as OpenTelemetry's API counts. */
  readonly kind?: number;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly children?: readonly Made[];
}

/** 2026-11-29, in ms. */
const BASE = 1_795_900_000_000;

/** Makes spans with the SDK of OpenTelemetry itself. */
export function made(roots: readonly Made[]): ReadableSpan[] {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const tracer = provider.getTracer("test");
  const make = (
    { name, from, to, kind, attributes, children = [] }: Made,
    parent = context.active(),
  ): void => {
    const options = { startTime: BASE + from, kind: kind ?? 0, attributes: { ...attributes } };
    const span = tracer.startSpan(name, options, parent);
    for (const child of children) make(child, trace.setSpan(parent, span));
    span.end(BASE + to);
  };
  for (const root of roots) make(root);
  return exporter.getFinishedSpans();
}

/** Them as the exporters write them. */
export function json(spans: ReadableSpan[]): string {
  return new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans));
}

/** Them as the exporters write them. */
export function protobuf(spans: ReadableSpan[]): Buffer {
  return Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []);
}

/** As the collector's file exporter writes messages that are no text. */
export function delimited(messages: readonly Buffer[]): Buffer {
  return Buffer.concat(
    messages.flatMap((message) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(message.length);
      return [length, message];
    }),
  );
}
