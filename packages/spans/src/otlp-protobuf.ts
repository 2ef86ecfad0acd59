import type { Fields } from "@headstart/trace/wire";

import { type CodeAttributes, codeAttribute, type Places } from "./places.js";
import { idIn, type Span } from "./span.js";

/**
 * Reads one message in the form of Protocol Buffers: `TracesData`, or a request of the exporter, which has the same fields.
 *
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
export function readProtobuf(message: Fields, places: Places, each: (span: Span) => void): void {
  inEach(message, 1, (resource) => {
    inEach(resource, 2, (scope) => {
      inEach(scope, 2, (fields) => {
        const span = spanOf(fields, places);
        if (span.id !== "") each(span);
      });
    });
  });
}

function inEach(fields: Fields, number: number, read: (message: Fields) => void): void {
  while (fields.next()) {
    if (fields.field === number) read(fields.message());
    else fields.skip();
  }
}

function spanOf(fields: Fields, places: Places): Span {
  let [trace, id, parent, name, kind] = ["", "", "", "", 0];
  let [start, end] = [0, 0];
  const attributes: CodeAttributes = [];
  while (fields.next()) {
    if (fields.field === 1) trace = fields.hex();
    else if (fields.field === 2) id = fields.hex();
    else if (fields.field === 4) parent = idIn(fields.hex());
    else if (fields.field === 5) name = fields.text();
    else if (fields.field === 6) kind = fields.number();
    else if (fields.field === 7) start = fields.milliseconds();
    else if (fields.field === 8) end = fields.milliseconds();
    else if (fields.field === 9) attribute(fields.message(), attributes);
    else fields.skip();
  }
  const duration = Math.max(0, end - start);
  return { trace, id, parent, name, kind, start, duration, place: places.of(attributes) };
}

function attribute(fields: Fields, found: CodeAttributes): void {
  let which = -1;
  while (fields.next()) {
    if (fields.field === 1) which = codeAttribute(fields.text());
    else if (fields.field === 2 && which >= 0) found[which] = valueOf(fields.message());
    else fields.skip();
  }
}

function valueOf(fields: Fields): string {
  let value = "";
  while (fields.next()) {
    if (fields.field === 1) value = fields.text();
    else if (fields.field === 3) value = String(fields.number());
    else fields.skip();
  }
  return value;
}
