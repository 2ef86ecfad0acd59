import { context } from "@opentelemetry/api";

import { holderOf, type Methods, wrap } from "./wrap.js";

/** What the pools of drivers call to get a connection, by the names of these. */
const METHODS: Readonly<Record<string, string>> = { mysql2: "getConnection", pg: "connect" };
/** The methods of `mysql2` that call back when a query has its answer: it does so in the context of whatever has opened the connection. */
const QUERIES = ["query", "execute"];

/**
 * Has the pool of a driver call back in the context of who has asked for a connection: it does so in that of who has given one
 * back, where none was free. (OpenTelemetry's instrumentation of `pg` does that only inside of a span.)
 *
 * @param exported what the module of that name exports
 */
export function bindPool(name: string, exported: unknown): void {
  type Classes = Record<string, { readonly prototype?: Methods } | undefined>;
  const classes = exported as Classes;
  bindCallbacks(classes["Pool"]?.prototype, METHODS[name]);
  if (name !== "mysql2") return;
  for (const query of QUERIES) {
    bindCallbacks(classes["Connection"]?.prototype, query);
    bindCallbacks(classes["Pool"]?.prototype, query);
  }
}

function bindCallbacks(of: Methods | undefined, method: string | undefined): void {
  const holder = method === undefined ? undefined : holderOf(of, method);
  if (method === undefined || holder === undefined) return;
  wrap(holder, method, (target, self, values: unknown[]) => {
    const bound = values.map((it) =>
      typeof it === "function" ? context.bind(context.active(), it) : it,
    );
    return Reflect.apply(target, self, bound as never[]);
  });
}
