import { context } from "@opentelemetry/api";

import { holderOf, type Methods, wrap } from "./wrap.js";

/** What the pools of drivers call to get a connection, by the names of these. */
const METHODS: Readonly<Record<string, string>> = { mysql2: "getConnection", pg: "connect" };

/**
 * Has the pool of a driver call back in the context of who has asked for a connection: it does so in that of who has given one
 * back, where none was free. (OpenTelemetry's instrumentation of `pg` does that only inside of a span.)
 *
 * @param exported what the module of that name exports
 */
export function bindPool(name: string, exported: unknown): void {
  const method = METHODS[name];
  const pool = (exported as { readonly Pool?: { readonly prototype?: Methods } }).Pool?.prototype;
  const holder = method === undefined ? undefined : holderOf(pool, method);
  if (method === undefined || holder === undefined) return;
  wrap(holder, method, (target, self, [callback, ...rest]: unknown[]) => {
    const bound =
      typeof callback === "function" ? context.bind(context.active(), callback) : callback;
    return Reflect.apply(target, self, [bound, ...rest] as never[]);
  });
}
