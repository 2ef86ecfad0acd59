import { constants } from "node:buffer";
import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import { parseCpuProfile, RECORD, type SampledFrame } from "./cpu-profile.js";
import { HeadstartError } from "./errors.js";

const EXTENSION = ".cpuprofile";

/** What CPU profiles say together. */
export interface CpuProfiles {
  /** Their names, for messages. */
  readonly names: readonly string[];
  readonly frames: readonly SampledFrame[];
}

/**
 * Reads CPU profiles: files, and folders for the `.cpuprofile` files that are directly in them.
 *
 * @throws {HeadstartError} that names the file and what to do, where one cannot be read or is none
 */
export function readCpuProfiles(paths: readonly string[]): CpuProfiles {
  const names = paths.flatMap((path) => filesOf(path));
  return { names, frames: names.flatMap((name) => parseCpuProfile(textOf(name), name).frames) };
}

function filesOf(path: string): string[] {
  const stats = attempt(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) {
    throw new HeadstartError(`${path}: there is no such file; check the spelling, or ${RECORD}`);
  }
  if (!stats.isDirectory()) return [checkedFile(path, stats)];
  const files = attempt(path, () => readdirSync(path)).filter((name) => name.endsWith(EXTENSION));
  if (files.length > 0) return files.sort().map((name) => join(path, name));
  throw new HeadstartError(`${path}: the folder has no ${EXTENSION} file in it; ${RECORD}`);
}

/** A pipe may never say anything, and what is longer than a string can be is not worth a try. */
function checkedFile(path: string, stats: Stats): string {
  if (!stats.isFile()) {
    throw new HeadstartError(
      `${path}: it is no regular file; save what it gives in one and name that`,
    );
  }
  if (stats.size <= constants.MAX_STRING_LENGTH) return path;
  throw new HeadstartError(
    `${path}: with ${String(stats.size)} bytes it is too large to be read; ` +
      "record a shorter time, or fewer samples (--cpu-prof-interval)",
  );
}

function textOf(path: string): string {
  return attempt(path, () => readFileSync(path, "utf8"));
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new HeadstartError(`${path}: it cannot be read: ${messageOf(error)}; make it readable`, {
      cause: error,
    });
  }
}
