import { openSync, writeSync } from "node:fs";

import { type Entries, linesOf } from "./journal.js";
import { isRecording, publish, startRecorder } from "./recorder.js";
import { safely } from "./wrap.js";

/** What `headstart observe` tells each process. */
export interface Told {
  /** Where to append what is found out. */
  readonly records: string;
  /** The folder of the program. */
  readonly project: string;
}

const told = process.env["HEADSTART_OBSERVE"];
if (told !== undefined && !isRecording()) {
  const { records, project } = JSON.parse(told) as Told;
  const append = writeSync;
  // It is gone where the run is over, and this process was left behind.
  const file = safely(() => openSync(records, "a"));
  if (file !== undefined) {
    const write = (entries: Entries): void => void append(file, linesOf(entries));
    publish(startRecorder({ project, share: 1, write }));
  }
}
