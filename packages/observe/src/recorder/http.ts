import http from "node:http";
import https from "node:https";

import type { Frame } from "./frames.js";
import type { Touched } from "./journal.js";
import { maskUrlPath } from "./mask.js";
import { type Methods, safely, wrap } from "./wrap.js";

/**
 * Records what is requested over HTTP. (OpenTelemetry's instrumentation of `http` asks for something else where headers come as a
 * list, or an address cannot be read: what is observed has to stay what it is.)
 */
export function watchHttp(current: () => Frame | undefined, touched: Touched): void {
  for (const methods of [http, https] as unknown as Methods[]) {
    for (const name of ["get", "request"]) {
      wrap(methods, name, (target, self, values: unknown[]) => {
        const request: unknown = Reflect.apply(target, self, values as never[]);
        safely(() => {
          const frame = current();
          const what = frame === undefined ? undefined : described(request, values);
          if (frame !== undefined && what !== undefined) touched(frame, what);
        });
        return request;
      });
    }
  }
}

/** What a request is of, without values. */
function described(request: unknown, values: readonly unknown[]): string | undefined {
  const { method, protocol, host, path } = request as http.ClientRequest;
  const port = portIn(values) ?? "";
  const address = `${protocol}//${host.includes(":") ? `[${host}]` : host}${port}`;
  if (!URL.canParse(address)) return undefined;
  return `http ${method} ${new URL(address).origin}${maskUrlPath(path)}`;
}

/** The port that a request is told, as it stands in an address. */
function portIn([first, second]: readonly unknown[]): string | undefined {
  for (const value of [second, first]) {
    const told = typeof value === "string" ? new URL(value) : value;
    const { port } = (typeof told === "object" && told !== null ? told : {}) as { port?: unknown };
    if (typeof port === "number" || (typeof port === "string" && port !== "")) return `:${port}`;
  }
  return undefined;
}
