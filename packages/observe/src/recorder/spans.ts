import type { Context } from "@opentelemetry/api";
import { SpanKind } from "@opentelemetry/api";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { IORedisInstrumentation } from "@opentelemetry/instrumentation-ioredis";
import { MongoDBInstrumentation } from "@opentelemetry/instrumentation-mongodb";
import { MySQL2Instrumentation } from "@opentelemetry/instrumentation-mysql2";
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg";
import { RedisInstrumentation } from "@opentelemetry/instrumentation-redis";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { type ReadableSpan, type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

import { type Frame, frameOf } from "./frames.js";
import type { Touched } from "./journal.js";
import { maskPath, maskSql } from "./mask.js";

/** Records what drivers say that they do, by OpenTelemetry's instrumentations of them. */
export function recordDrivers(touched: Touched): void {
  const tracerProvider = new TracerProvider({ spanProcessors: [new Operations(touched)] });
  registerInstrumentations({
    tracerProvider,
    instrumentations: [
      new HttpInstrumentation({ disableIncomingRequestInstrumentation: true }),
      new UndiciInstrumentation(),
      new PgInstrumentation({ ignoreConnectSpans: true }),
      new MySQL2Instrumentation(),
      new RedisInstrumentation(),
      new IORedisInstrumentation({ requireParentSpan: false }),
      new MongoDBInstrumentation({ requireParentSpan: false }),
    ],
  });
}

/** Describes spans, and forgets them: none is kept or sent. */
class Operations implements SpanProcessor {
  private readonly frames = new WeakMap<object, Frame | undefined>();

  constructor(private readonly touched: Touched) {}

  onStart(span: object, parent: Context): void {
    this.frames.set(span, frameOf(parent));
  }

  onEnd(span: ReadableSpan): void {
    const frame = this.frames.get(span);
    const operation = frame === undefined ? undefined : describe(span);
    if (frame !== undefined && operation !== undefined) this.touched(frame, operation);
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** What a span is of, without values. */
function describe({ kind, name, attributes }: ReadableSpan): string | undefined {
  if (kind !== SpanKind.CLIENT) return undefined;
  const first = (...names: readonly string[]): string | undefined => {
    const value = names.map((it) => attributes[it]).find((it) => it !== undefined);
    return value === undefined ? undefined : String(value);
  };
  const system = first("db.system.name", "db.system");
  if (system !== undefined) {
    if (system.includes("redis"))
      return `redis ${(first("db.operation.name") ?? name.split(/[ -]/).at(-1) ?? "").toUpperCase()}`;
    if (system === "mongodb") {
      const operation = first("db.operation.name", "db.operation") ?? name.split(".").at(-1) ?? "";
      return `mongodb ${operation} ${first("db.collection.name", "db.mongodb.collection") ?? ""}`.trim();
    }
    const statement = first("db.query.text", "db.statement");
    return statement === undefined ? undefined : `sql ${system} ${maskSql(statement)}`;
  }
  const method = first("http.request.method", "http.method");
  const url = first("url.full", "http.url");
  if (method === undefined || url === undefined || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return `http ${method} ${origin}${maskPath(pathname)}`;
}
