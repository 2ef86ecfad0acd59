import type { Context } from "@opentelemetry/api";
import { SpanKind } from "@opentelemetry/api";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { IORedisInstrumentation } from "@opentelemetry/instrumentation-ioredis";
import { MongoDBInstrumentation } from "@opentelemetry/instrumentation-mongodb";
import { MySQL2Instrumentation } from "@opentelemetry/instrumentation-mysql2";
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg";
import { RedisInstrumentation } from "@opentelemetry/instrumentation-redis";
import {
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

import { RedisBatches } from "./batches.js";
import { Clients, type Loaded } from "./clients.js";
import { type Frame, frameOf, type Frames, now } from "./frames.js";
import { CUT_OFF, type Touched } from "./journal.js";
import { maskSql } from "./mask.js";
import { collectionOf, describeCommand } from "./mongo.js";
import { atExit } from "./signals.js";
import { LOCAL_SOCKET } from "./sockets.js";
import { UndiciContexts } from "./undici.js";
import { safely } from "./wrap.js";

/**
 * Records what drivers say that they do, by OpenTelemetry's instrumentations of them.
 *
 * @param loaded is told of those that more is followed of
 */
export function recordDrivers(frames: Frames, touched: Touched, loaded: Loaded): void {
  const batches = new RedisBatches((command) => {
    const frame = frames.current();
    if (frame !== undefined) touched(frame, `redis ${command}`);
  });
  const operations = new Operations(touched, () => batches.isFilling);
  const tracerProvider = new TracerProvider({ sampler: OF_AWAITS, spanProcessors: [operations] });
  registerInstrumentations({
    tracerProvider,
    instrumentations: [
      new UndiciContexts(),
      postgres(),
      new MySQL2Instrumentation(),
      new RedisInstrumentation({ requireParentSpan: true }),
      batches,
      new IORedisInstrumentation({ requireParentSpan: true }),
      new MongoDBInstrumentation({
        requireParentSpan: true,
        dbStatementSerializer: collectionOf,
      }),
      new Clients(loaded),
    ],
  });
}

function postgres(): PgInstrumentation {
  const made = new PgInstrumentation({ ignoreConnectSpans: true, requireParentSpan: true });
  // It counts connections, for nobody here, by listeners that stay at the pools of the program.
  return Object.assign(made, { _setPoolConnectEventListeners: () => undefined });
}

/** What is done for no await is of no interest. */
const OF_AWAITS: Sampler = {
  shouldSample: (parent) => ({
    decision:
      frameOf(parent) === undefined
        ? SamplingDecision.NOT_RECORD
        : SamplingDecision.RECORD_AND_SAMPLED,
  }),
};

/** Describes spans, and forgets them: none is kept or sent. */
class Operations implements SpanProcessor {
  private readonly begun = new Map<object, { readonly frame: Frame; readonly since: number }>();

  constructor(
    private readonly touched: Touched,
    private readonly isFilling: () => boolean,
  ) {
    // What is under way at the end was begun, whatever it is.
    atExit(() => {
      for (const { frame, since } of this.begun.values()) touched(frame, CUT_OFF, since);
    });
  }

  onStart(span: ReadableSpan, parent: Context): void {
    safely(() => {
      this.start(span, parent);
    });
  }

  onEnd(span: ReadableSpan): void {
    safely(() => {
      this.end(span);
    });
  }

  private start(span: ReadableSpan, parent: Context): void {
    const frame = this.isFilling() ? undefined : frameOf(parent);
    if (frame !== undefined) this.begun.set(span, { frame, since: now() });
  }

  private end(span: ReadableSpan): void {
    const begun = this.begun.get(span);
    this.begun.delete(span);
    const operation = begun === undefined ? undefined : describe(span);
    if (begun === undefined || operation === undefined) return;
    const { frame, since } = begun;
    this.touched(frame, operation, since);
    const server = serverOf(span);
    if (server !== undefined) this.touched(frame, server, since);
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/** The first of some attributes that a span has. */
function firstOf({ attributes }: ReadableSpan, ...names: readonly string[]): string | undefined {
  const value = names.map((it) => attributes[it]).find((it) => it !== undefined);
  return value === undefined ? undefined : String(value);
}

/** What a span of a database is of, without values. */
function describe(span: ReadableSpan): string | undefined {
  if (span.kind !== SpanKind.CLIENT) return undefined;
  const first = (...names: readonly string[]): string | undefined => firstOf(span, ...names);
  const system = first("db.system.name", "db.system");
  if (system === undefined) return undefined;
  const { name } = span;
  if (system.includes("redis")) return describeRedis(span, first("db.operation.name") ?? name);
  if (system === "mongodb") {
    const operation = first("db.operation.name", "db.operation") ?? name.split(".").at(-1) ?? "";
    const collection = first("db.collection.name", "db.mongodb.collection");
    return describeCommand(operation, collection, first("db.query.text", "db.statement"));
  }
  const statement = first("db.query.text", "db.statement");
  return statement === undefined ? undefined : `sql ${system} ${maskSql(statement, system)}`;
}

/** Ports of databases, where clients say none. */
const PORTS: Readonly<Record<string, string>> = {
  mongodb: "27017",
  mysql: "3306",
  postgresql: "5432",
  redis: "6379",
};

/** The server that a database is at: connections to it are explained by what its client says. */
function serverOf(span: ReadableSpan): string | undefined {
  const system = firstOf(span, "db.system.name", "db.system");
  const host = firstOf(span, "server.address", "net.peer.name");
  if (system === undefined || host === undefined) return undefined;
  const port = firstOf(span, "server.port", "net.peer.port") ?? PORTS[system] ?? "";
  return `server ${host.startsWith("/") ? LOCAL_SOCKET : `${host}:${port}`}`;
}

/** The scope of spans that stand for a whole batch, whose commands {@link RedisBatches} tells. */
const OF_BATCHES = "@opentelemetry/instrumentation-redis";

/** What a span of Redis is of: of `PIPELINE GET`, the command. */
function describeRedis(span: ReadableSpan, name: string): string | undefined {
  const words = name.toUpperCase().split(/[ -]/);
  const isBatch = words[0] === "MULTI" || words[0] === "PIPELINE";
  if (isBatch && span.instrumentationScope.name === OF_BATCHES) return undefined;
  return `redis ${words.at(-1) ?? ""}`;
}
