import type { Place } from "./continuations.js";
import type { TrackEvent } from "./decoded-event.js";

/** Where the code of an entry stands, if that is said. */
export function placeOf(event: TrackEvent): Place | undefined {
  return placeOfData(event.arguments()["data"]);
}

/** The place that a function or a frame of a stack is said to have, if any is. */
export function placeOfData(data: unknown): Place | undefined {
  const { functionName, url, lineNumber, columnNumber } = (data ?? {}) as Record<string, unknown>;
  if (typeof url !== "string" || url === "") return undefined;
  return {
    name: typeof functionName === "string" ? functionName : "",
    file: url,
    line: Number(lineNumber ?? 1),
    column: Number(columnNumber ?? 1),
  };
}

/** The place that a line of a stack names, such as `at name (address:1:2)`. */
export function placeOfFrame(frame: string): Place | undefined {
  const match = /^at (?:(?:async )?(.*) \()?(.+):(\d+):(\d+)\)?$/.exec(frame);
  if (match === null) return undefined;
  const [, name = "", file = "", line, column] = match;
  return { name, file, line: Number(line), column: Number(column) };
}
