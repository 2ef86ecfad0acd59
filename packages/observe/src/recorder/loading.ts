import Module, { createRequire } from "node:module";
import { isAbsolute } from "node:path";

import { context, ROOT_CONTEXT } from "@opentelemetry/api";

import type { Frames } from "./frames.js";
import { type Methods, safely, wrap } from "./wrap.js";

/** Packages whose clients are followed. */
const FOLLOWED = ["pg", "mysql2", "redis", "@redis/client", "ioredis", "mongodb"];
/** The package that a file is of. */
const PACKAGE = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/s;

/**
 * Has packages whose clients are followed loaded by `require` when the program asks for them: that is what instrumentations see, and
 * `import` goes past it. (To load ahead all that the program could ask for costs a server 2% of its time: what it never uses is in the
 * way of what it does.) Called when the instrumentations are there.
 */
export function followLoading(frames: Frames): void {
  const modules = Module.prototype as unknown as Methods;
  // That of now: what the program puts in its place would be told more than without this.
  const load = modules["require"] as (this: object, asked: string) => unknown;
  // What a package does when it is loaded is no part of what the program waits for.
  const outside = (call: () => unknown): unknown =>
    frames.current() === undefined ? call() : context.with(ROOT_CONTEXT, call);
  // Where it cannot be loaded, the program is told so by its own call.
  const loadFirst = (main: () => string, from: object): void =>
    void outside(() => safely(() => load.call(from, main())));
  wrap(modules, "require", (target, self: object, values) => {
    const name = safely(() => packageIn(values[0]));
    const go = (): unknown => Reflect.apply(target, self, values);
    if (name === undefined) return go();
    loadFirst(() => name, self);
    return outside(go);
  });
  // What `import` calls: with the path of a file, and no module that asks for it.
  wrap(Module as unknown as Methods, "_load", (target, self, values) => {
    const [file, asking, isProgram] = values as [string, unknown, unknown];
    const isImport = asking == null && isProgram !== true;
    const name = isImport ? safely(() => packageIn(file)) : undefined;
    if (name !== undefined) loadFirst(() => createRequire(file).resolve(name), new Module(file));
    return Reflect.apply(target, self, values) as unknown;
  });
}

/** The followed package that is asked for, or one of whose files is. */
function packageIn(asked: unknown): string | undefined {
  if (typeof asked !== "string") return undefined;
  const path = isAbsolute(asked) ? PACKAGE.exec(asked)?.[1]?.replace("\\", "/") : asked;
  return FOLLOWED.find((it) => path === it || path?.startsWith(`${it}/`) === true);
}
