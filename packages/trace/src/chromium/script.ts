import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { TraceError } from "../errors.js";
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
    throw new TraceError(`cannot load ${path}: ${error instanceof Error ? error.message : ""}`);
  }
  const { default: first, drive = (first as { drive?: unknown } | undefined)?.drive } = loaded;
  const found = typeof first === "function" ? first : drive;
  if (typeof found === "function") return found as Drive;
  throw new TraceError(`${path} must export a function by default, such as async (page) => {}`);
}
