// What a service in production loads first (node --import): OpenTelemetry, with the lines of calls, and the file that its
// collector would write.
import { appendFileSync } from "node:fs";
import { register } from "node:module";

import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { CodePlaces } from "headstart/otel";

// Modules are changed as they are loaded, so this comes before all of them.
register("@opentelemetry/instrumentation/hook.mjs", import.meta.url);
const { default: pg } = await import("pg");

const { TRACES = "traces.json" } = process.env;

/** Writes as the file exporter of the collector does: a message in each line. */
const exporter = {
  export(spans, done) {
    const message = new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans));
    appendFileSync(TRACES, `${message}\n`);
    done({ code: 0 });
  },
  forceFlush: async () => {},
  shutdown: async () => {},
};

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
export const provider = new TracerProvider({
  spanProcessors: [
    new CodePlaces({ calls: [[pg.Pool.prototype, "query"]] }),
    new BatchSpanProcessor({ exporter }),
  ],
});
trace.setGlobalTracerProvider(provider);
registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation({
      // A route tells requests apart that a product's name does not have to.
      requestHook: (span, request) => {
        if (request.url !== undefined) span.updateName(request.url.replace(/[^/]+$/, ":id"));
      },
    }),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
    new UndiciInstrumentation({ requireParentforSpans: true }),
  ],
});
