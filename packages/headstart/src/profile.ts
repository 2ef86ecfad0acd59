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
  try {
    return await loadTraceAddon().analyse(paths);
  } catch (error) {
    throw new HeadstartError(messageOf(error), { cause: error });
  }
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
