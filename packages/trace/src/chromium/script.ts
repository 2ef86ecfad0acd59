import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { TraceError } from "../errors.js";
import { messageOf } from "./message-of.js";
import type { Page } from "./page.js";

/** What drives a page. */
export type Drive = (page: Page) => Promise<void> | void;

/**
 * Loads what drives a page: the default export of a module, or its export `drive`.
 *
 * @throws TraceError if it cannot be loaded, or exports nothing of that sort
 */
export async function loadScript(path: string): Promise<Drive> {
  let loaded: { default?: unknown; drive?: unknown };
  try {
    loaded = (await import(pathToFileURL(resolve(path)).href)) as typeof loaded;
  } catch (error) {
    throw new TraceError(`cannot load ${path}: ${messageOf(error)}`);
  }
  const { default: first, drive = (first as { drive?: unknown } | undefined)?.drive } = loaded;
  const found = typeof first === "function" ? first : drive;
  if (typeof found === "function") return found as Drive;
  throw new TraceError(`${path} must export a function by default, such as async (page) => {}`);
}

/** What of a script nobody awaits, but may fail. */
export interface Stray {
  /**
   * Settles at the next failure from now on, or, when it is called first, with one that came before: with what was
   * thrown, in an object of its own.
   */
  next(): Promise<{ readonly error: unknown }>;
  /** From now on, failures are Node's affair again. */
  stop(): Promise<void>;
}

/** Takes what fails outside of all that is awaited, which would end this process with a dump. */
export function catchStray(): Stray {
  const waiting = new Set<(failure: { error: unknown }) => void>();
  let early: { error: unknown } | undefined;
  let isAwaited = false;
  const take = (error: unknown): void => {
    if (!isAwaited) early ??= { error };
    for (const resolve of waiting) resolve({ error });
    waiting.clear();
  };
  process.on("unhandledRejection", take).on("uncaughtException", take);
  return {
    next: () => {
      isAwaited = true;
      const missed = early;
      early = undefined;
      return missed === undefined
        ? new Promise((resolve) => waiting.add(resolve))
        : Promise.resolve(missed);
    },
    stop: async () => {
      // Rejections without a handler are said after all microtasks.
      await new Promise((resolve) => setImmediate(resolve));
      process.off("unhandledRejection", take).off("uncaughtException", take);
    },
  };
}
