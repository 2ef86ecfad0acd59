import { context } from "@opentelemetry/api";

import type { Frames } from "./frames.js";
import { holderOf, type Methods, wrap } from "./wrap.js";

/**
 * The methods of drivers that call back in the context of whatever has opened or given back a connection, by the classes that they
 * are of.
 */
const CALLING_BACK: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  mysql2: { Connection: ["query", "execute"], Pool: ["getConnection", "query", "execute"] },
  pg: { Pool: ["connect"] },
};

/**
 * Has a driver call back in the context of who has asked: for a connection where none was free, or for an answer.
 * (OpenTelemetry's instrumentation of `pg` does that only inside of a span.)
 *
 * @param exported what the module of that name exports
 */
export function bindCallbacks(name: string, exported: unknown, frames: Pick<Frames, "isOn">): void {
  const classes = exported as Record<string, { readonly prototype?: Methods } | undefined>;
  for (const [key, methods] of Object.entries(CALLING_BACK[name] ?? {})) {
    for (const method of methods) bindMethod(classes[key]?.prototype, method, frames);
  }
}

function bindMethod(of: Methods | undefined, method: string, frames: Pick<Frames, "isOn">): void {
  const holder = holderOf(of, method);
  if (holder === undefined) return;
  wrap(holder, method, (target, self, values: unknown[]) => {
    if (!frames.isOn) return Reflect.apply(target, self, values as never[]);
    const bound = values.map((it) =>
      typeof it === "function" ? context.bind(context.active(), it) : it,
    );
    return Reflect.apply(target, self, bound as never[]);
  });
}
