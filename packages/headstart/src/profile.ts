import { existsSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import { loadTraceAddon } from "./native.js";
import type { ProfiledPlace } from "./protocol.js";

/**
 * Measures the traces at `paths` together; returns the report as JSON.
 *
 * @throws {HeadstartError} if one of them is none
 */
export async function measureTraces(paths: readonly string[]): Promise<string> {
  for (const path of paths) checkIsThere(path);
  try {
    return await loadTraceAddon().analyse(paths);
  } catch (error) {
    throw new HeadstartError(messageOf(error), { cause: error });
  }
}

/** @throws {HeadstartError} if there is no file at `path` */
export function checkIsThere(path: string): void {
  const isThere = existsSync(path);
  if (isThere && !statSync(path).isDirectory()) return;
  const state = isThere ? "is a folder, not a trace" : "is not there";
  throw new HeadstartError(`${path} ${state}; "headstart trace record" writes a trace`);
}

/** What the trace at `path` says of the lines of files. */
export async function placesOf(path: string): Promise<ProfiledPlace[]> {
  const { places } = JSON.parse(await measureTraces([path])) as {
    readonly places: readonly ProfiledPlace[];
  };
  return profiled(places);
}

/** The places of a report that are in files of this machine. */
export function profiled(places: readonly ProfiledPlace[]): ProfiledPlace[] {
  return places.filter(({ file }) => isAbsolute(file));
}
