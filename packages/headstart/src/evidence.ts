import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

import { messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import type { EvidenceNote, SeenPlace } from "./protocol.js";

/** The folder of a project where what was seen of it lies. */
export const EVIDENCE_FOLDER = ".headstart";
/** What `headstart observe` writes there, and what processes do that record themselves. */
const RECORDINGS = /^evidence(?:\.\d+)?\.json$/;
/** What names no file: what was seen is not used. */
const NONE = "none";
/** The largest file that is read, in bytes: 10,000 awaits with 100 operations each have a tenth of that. */
const LARGEST = 500_000_000;

/** The file that a process with a number writes which records itself. */
export function recordingOf(pid: number): string {
  return `evidence.${pid}.json`;
}

/** What runs have shown of the awaits of a program, and what is wrong with the recordings. */
export interface FoundEvidence {
  readonly evidence: readonly SeenPlace[];
  readonly evidenceNotes: readonly EvidenceNote[];
}

/**
 * What was seen of the projects that paths belong to: in the file `given`, none for `false` or `"none"`, else in those that
 * `headstart observe` has left beside them.
 *
 * @throws {HeadstartError} if the file that is given cannot be used.
 */
export async function findEvidence(
  cwd: string,
  paths: readonly string[],
  given?: string | false,
): Promise<FoundEvidence> {
  if (given === false || given === NONE) return { evidence: [], evidenceNotes: [] };
  const files = given === undefined ? nearest(cwd, paths) : [resolve(cwd, given)];
  if (files.length === 0) return { evidence: [], evidenceNotes: [] };
  // Most runs have no recording, and need none of it.
  const reading = await import("@headstart/observe/located");
  const recordings: SeenPlace[][] = [];
  const evidenceNotes: EvidenceNote[] = [];
  for (const file of files) {
    try {
      const { places, outdated } = placesIn(file, reading);
      recordings.push(places);
      if (outdated > 0) evidenceNotes.push({ path: file, message: outdatedNote(outdated) });
    } catch (error) {
      const message = `${messageOf(error)}; \`headstart observe -- COMMAND\` writes it`;
      if (given !== undefined)
        throw new HeadstartError(`${relative(cwd, file)}: ${message}`, { cause: error });
      evidenceNotes.push({ path: file, message: `${message} (it is not used)` });
    }
  }
  return { evidence: reading.together(recordings), evidenceNotes };
}

function outdatedNote(outdated: number): string {
  const [awaits, stand, are] =
    outdated === 1 ? ["await", "stands", "is"] : ["awaits", "stand", "are"];
  return `${outdated} ${awaits} in it ${stand} in functions that have changed since, and ${are} not used; \`headstart observe -- COMMAND\` records again`;
}

/** The recordings in the folders of paths and above, up to a repository's. */
function nearest(cwd: string, paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let folder = resolve(cwd, path); ; folder = dirname(folder)) {
      const files = recordingsIn(join(folder, EVIDENCE_FOLDER));
      files.forEach((file) => found.add(file));
      const isTop = existsSync(join(folder, ".git")) || folder === dirname(folder);
      if (files.length > 0 || isTop) break;
    }
  }
  return [...found];
}

function recordingsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => RECORDINGS.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch {
    // It is not there, no folder, or not to be read: nothing was recorded there.
    return [];
  }
}

function placesIn(
  path: string,
  { located, parseEvidence }: typeof import("@headstart/observe/located"),
): { places: SeenPlace[]; outdated: number } {
  const stat = statSync(path);
  const { size } = stat;
  // A pipe would be waited for, a device has no end.
  if (!stat.isFile()) throw new Error("is no file");
  if (size > LARGEST) throw new Error(`has ${size} bytes, more than the ${LARGEST} that are read`);
  const evidence = parseEvidence(readFileSync(path, "utf8"));
  const project = resolve(dirname(path), evidence.project);
  const { awaits, outdated } = located(evidence, (file) => textOf(join(project, file)));
  const places = awaits.map(({ file, line, column, calls, ms, operations, inner }) => {
    return { file: join(project, file), line, column, calls, ms, operations, inner };
  });
  return { places, outdated };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
