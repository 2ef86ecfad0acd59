import events from "node:events";
import fs from "node:fs";
import { dirname, relative } from "node:path";

import { type Evidence, Sums, VERSION } from "../evidence.js";
import type { ObservedAwait, PlaceIn } from "../instrument.js";
import { type Enter, KEY, startRecorder } from "./recorder.js";

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
  if (KEY in globalThis) return;
  const sums = new Sums();
  const awaits: ObservedAwait[] = [];
  let isNew = false;
  const enter: Enter = startRecorder({
    ...{ project, share },
    write: (lines) => {
      sums.add(lines);
      isNew = true;
    },
  });
  const register = (file: string, places: readonly PlaceIn[]): number =>
    awaits.push(...places.map((place) => ({ file, ...place }))) - places.length;
  const value = Object.assign(enter, { register });
  for (const object of [globalThis, events]) Object.defineProperty(object, KEY, { value });
  // As they are now: the program may put others in their place.
  const { mkdirSync, renameSync, writeFileSync } = fs;
  const save = (): void => {
    if (!isNew) return;
    isNew = false;
    const evidence: Evidence = {
      ...{ version: VERSION, tool, createdAt: new Date().toISOString(), share },
      project: relative(dirname(out), project) || ".",
      command: ["node", relative(project, process.argv[1] ?? "")],
      awaits: sums.observations(awaits),
    };
    try {
      mkdirSync(dirname(out), { recursive: true });
      // Whoever reads it meanwhile has the one before.
      writeFileSync(`${out}.new`, `${JSON.stringify(evidence, null, 1)}\n`);
      renameSync(`${out}.new`, out);
    } catch {
      // A full disk must not change what the program does.
    }
  };
  setInterval(save, PAUSE).unref();
  process.on("exit", save);
}
