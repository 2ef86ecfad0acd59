import { fileURLToPath } from "node:url";

/** A place of the program that is being run, or that waits for what runs. */
export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** As V8 writes it, without what is in front. */
  readonly text: string;
}

/**
 * Frames that are asked for: those of instrumentations and clients stand above the program's. What a look takes grows with
 * their number, and few frames are enough most of the time.
 */
const FRAMES = [20, 60];
/** So many frames of the program are enough: helpers, and who has called them. */
const ENOUGH = 4;
/** Frames that are kept: those who have called the caller, too, since a helper may be all that calls. */
const KEPT = 8;
/** Code that is not the program's, or in no file: whose call it is shows below. */
const FOREIGN = /[\\/]node_modules[\\/]|^node:|^internal[\\/]|^</;
/** Where the program gives a connection back to a pool, that may go on with what somebody else has asked for. */
const RELEASE = /^\s+at (?:[\w$.]+\.)?_?release\w* /;
/** With what the paths of these files begin, also once they are one file. */
const OWN = fileURLToPath(new URL("otel", import.meta.url));

/**
 * The frames of the program, the innermost first: those that run, and those that wait for them. None where they cannot be had;
 * never throws.
 */
export function programFrames(): readonly Frame[] {
  let frames: Frame[] = [];
  try {
    for (const count of FRAMES) {
      const lines = stackLines(count);
      frames = [];
      for (const line of lines) {
        const frame = frameOf(line);
        if (frame !== undefined) frames.push(frame);
        else if (frames.length === 0 && RELEASE.test(line)) return [];
      }
      if (frames.length >= ENOUGH || lines.length < count) break;
    }
  } catch {
    // The stack is full, or the program writes stacks in its own way and has failed.
    return [];
  }
  return frames.slice(0, KEPT);
}

function stackLines(count: number): string[] {
  const before = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
  // Where it cannot be written, as with --frozen-intrinsics, as many frames as there are by default have to do.
  const isSet = Reflect.set(Error, "stackTraceLimit", count);
  try {
    const { stack } = new Error();
    return typeof stack === "string" ? stack.split("\n").slice(1) : [];
  } finally {
    if (isSet && before !== undefined) Reflect.set(Error, "stackTraceLimit", before.value);
    else if (isSet) Reflect.deleteProperty(Error, "stackTraceLimit");
  }
}

function frameOf(line: string): Frame | undefined {
  const match = /^\s+at (.*?\(?((?:file:\/\/)?[^() ]+):(\d+):(\d+)\)?)$/.exec(line);
  if (match === null) return undefined;
  const [, text = "", name = "", row, column] = match;
  const file = name.startsWith("file://") ? fileURLToPath(name) : name;
  if (FOREIGN.test(file) || file.startsWith(OWN)) return undefined;
  return { file, line: Number(row), column: Number(column), text };
}
