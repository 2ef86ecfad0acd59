import { statSync } from "node:fs";
import { isAbsolute } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import { loadTraceAddon } from "./native.js";
import type { ProfiledPlace } from "./protocol.js";
import { printError } from "./terminal.js";

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

/** @throws {HeadstartError} if there is no file at `path`; a pipe may never say anything */
export function checkIsThere(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true) return;
  const what = found?.isDirectory() === true ? "is a folder, not a trace" : "is no regular file";
  const state = found === undefined ? "is not there" : what;
  throw new HeadstartError(`${path} ${state}; "headstart trace record" writes a trace`);
}

/** What was read of a trace, as far as it matters here. */
interface Extent {
  /** Whether the recorder closed it. */
  readonly closed: boolean;
  readonly unreadBytes: number;
  readonly lostChunks: number;
}

/** What the trace at `path` says of the lines of files. Where a part of it is missing, that is noted. */
export async function placesOf(path: string): Promise<ProfiledPlace[]> {
  const { places, extent } = JSON.parse(await measureTraces([path])) as {
    readonly places: readonly ProfiledPlace[];
    readonly extent: Extent;
  };
  if (!extent.closed || extent.lostChunks > 0 || extent.unreadBytes > 0) {
    await printError(`note: ${path} ${INCOMPLETE}\n`);
  }
  return profiled(places);
}

const INCOMPLETE =
  "is cut off or damaged: what it says of lines is of the rest (headstart trace report says what is missing)";

/** The places of a report that are in files of this machine. */
export function profiled(places: readonly ProfiledPlace[]): ProfiledPlace[] {
  return places.filter(({ file }) => isAbsolute(file));
}
