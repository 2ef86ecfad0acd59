import fs from "node:fs";
import { dirname, relative } from "node:path";

import { type Evidence, evidenceOf, Sums } from "../evidence.js";
import type { ObservedAwait, PlaceIn } from "../instrument.js";
import { isRecording, publish, startRecorder } from "./recorder.js";
import { beforeEnd } from "./signals.js";

/** Milliseconds between two times that what was seen is written. */
const PAUSE = 5000;

/** What `headstart/observe` asks for. */
export interface LoaderOptions {
  /** What asks: `headstart 0.1.0`. */
  readonly tool: string;
  /** The folder of the program. */
  readonly project: string;
  /** The share of awaits that are recorded. */
  readonly share: number;
  /** The file to write. Absolute. */
  readonly out: string;
}

/**
 * Records what the awaits of this process touch, and writes that to a file every few seconds, and when it ends. Modules tell by
 * themselves which awaits they have ({@link withObservation}).
 */
export function recordHere({ tool, project, share, out }: LoaderOptions): void {
  if (isRecording()) return;
  const sums = new Sums();
  const awaits: ObservedAwait[] = [];
  let isNew = false;
  const enter = startRecorder({
    ...{ project, share },
    write: (entries) => {
      for (const [id, entry] of entries) sums.add(id, entry);
      isNew = true;
    },
  });
  const register = (file: string, places: readonly PlaceIn[]): number =>
    awaits.push(...places.map((place) => ({ file, ...place }))) - places.length;
  publish(Object.assign(enter, { register }));
  const save = saving(out, () => {
    if (!isNew) return undefined;
    isNew = false;
    const command = ["node", relative(project, process.argv[1] ?? "")];
    const found = sums.observations(awaits);
    return evidenceOf({ tool, project, out, share, command, awaits: found });
  });
  setInterval(save, PAUSE).unref();
  beforeEnd(save);
}

/** Writes what there is to a file; nothing where there is nothing new. */
function saving(out: string, evidence: () => Evidence | undefined): () => void {
  // As they are now: the program may put others in their place.
  const { existsSync, mkdirSync, renameSync, statSync, writeFileSync } = fs;
  return () => {
    try {
      const found = evidence();
      if (found === undefined) return;
      mkdirSync(dirname(out), { recursive: true });
      const text = `${JSON.stringify(found, null, 1)}\n`;
      // A device or a pipe stays what it is; whoever reads a file meanwhile has the one before.
      const isFile = !existsSync(out) || statSync(out).isFile();
      writeFileSync(isFile ? `${out}.new` : out, text);
      if (isFile) renameSync(`${out}.new`, out);
    } catch {
      // A full disk must not change what the program does.
    }
  };
}
