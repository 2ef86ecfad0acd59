import { type Context, context } from "@opentelemetry/api";
import {
  InstrumentationBase,
  InstrumentationNodeModuleDefinition,
  InstrumentationNodeModuleFile,
} from "@opentelemetry/instrumentation";

import { type Apply, type Methods, wrap } from "./wrap.js";

interface Class {
  new (...values: never[]): object;
  readonly prototype: Methods;
}

const VERSIONS = [">=5"];
/** Who has asked for a request: by the request, and until it is made by what is told the answer, of which each has one of its own. */
const askedIn = new WeakMap<object, Context>();

/**
 * Has the npm package undici make requests, and call back, in the context of who has asked for them. By itself it makes a request that
 * waits for a connection in that of who has given one back, and one that follows an answer (redirected, tried again) in that of who
 * has opened the connection.
 *
 * It is not loaded ahead of the program, as other drivers are: that would change what Node's own `fetch` goes over.
 */
export class UndiciContexts extends InstrumentationBase {
  constructor() {
    super("headstart-undici", "1", {});
  }

  protected init(): InstrumentationNodeModuleDefinition {
    return new InstrumentationNodeModuleDefinition("undici", VERSIONS, undefined, undefined, [
      // Where these are depends on the version.
      ...["", "dispatcher/"].flatMap((folder) => [
        patched(`${folder}pool-base`, (exported: { readonly PoolBase: Class }) => {
          noteCallers(exported.PoolBase.prototype);
          return exported;
        }),
        patched(`${folder}dispatcher-base`, (exported: Class) => {
          wrap(exported.prototype, "dispatch", asNoted);
          return exported;
        }),
      ]),
      patched("core/request", boundRequests),
      patched("global", (exported: Methods) => {
        wrap(exported, "getGlobalDispatcher", (target, self, values) =>
          told(Reflect.apply(target, self, values)),
        );
        return exported;
      }),
    ]);
  }
}

function patched<T>(name: string, patch: (exported: T) => T): InstrumentationNodeModuleFile {
  const safely = (exported: T): T => {
    try {
      return patch(exported);
    } catch {
      // It is not what is known of it; the program goes on as it would.
      return exported;
    }
  };
  return new InstrumentationNodeModuleFile(
    `undici/lib/${name}.js`,
    VERSIONS,
    safely,
    () => undefined,
  );
}

/** Has a pool note who asks: it may keep what it is to do until a connection is free. */
function noteCallers(pool: Methods): void {
  const key = Object.getOwnPropertySymbols(pool).find((it) => it.description === "dispatch");
  if (key === undefined) return;
  wrap(pool, key, (target, self, values: [unknown, object]) => {
    askedIn.set(values[1], context.active());
    return Reflect.apply(target, self, values) as unknown;
  });
}

const asNoted: Apply = (target, self, values: [unknown, object]) => {
  const [, handler] = values;
  const asked = askedIn.get(handler) ?? context.active();
  askedIn.delete(handler);
  return context.with(asked, () => Reflect.apply(target, self, values) as unknown);
};

/** Those that tell their answers in the context of who has asked. */
const telling = new WeakSet();

/**
 * What requests go over that are told of nothing else: that is shared with Node's own `fetch`, whose code nobody can patch, so that
 * what is told the answer is put in a context.
 */
function told(dispatcher: unknown): unknown {
  if (typeof dispatcher !== "object" || dispatcher === null || telling.has(dispatcher))
    return dispatcher;
  telling.add(dispatcher);
  wrap(dispatcher as Methods, "dispatch", (target, self, [options, handler]: [unknown, object]) => {
    return Reflect.apply(target, self, [options, inContext(handler, context.active())]) as unknown;
  });
  return dispatcher;
}

function inContext(handler: object, asked: Context): object {
  return new Proxy(handler, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function" || !/^on[A-Z]/.test(String(key))) return value;
      return (...values: never[]): unknown =>
        context.with(asked, () => Reflect.apply(value, target, values) as unknown);
    },
  });
}

/** The class of requests, of which each tells the answer in the context that it was made in. */
function boundRequests(exported: Class): Class {
  for (const name of Object.getOwnPropertyNames(exported.prototype)) {
    if (!/^on[A-Z]/.test(name)) continue;
    wrap(exported.prototype, name, (target, self: object, values): unknown =>
      context.with(
        askedIn.get(self) ?? context.active(),
        () => Reflect.apply(target, self, values) as unknown,
      ),
    );
  }
  return new Proxy(exported, {
    construct(target, values, made) {
      const request = Reflect.construct(target, values, made) as object;
      askedIn.set(request, context.active());
      return request;
    },
  });
}
