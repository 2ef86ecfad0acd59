import { UNITS_PER_MS } from "../format/layout.js";
import { floor, now } from "../own.js";

/**
 * Returns a clock: whole units since `started` (milliseconds since 1970), which all threads and processes of a
 * recording share.
 */
export function clockSince(started: number): () => number {
  const offset = performance.timeOrigin - started;
  return () => floor((now() + offset) * UNITS_PER_MS);
}
