import type { Progress } from "./protocol.js";

/** What takes less time needs no progress. */
const QUIET_MS = 1000;
const INTERVAL_MS = 100;
const ERASE = "\r\u001B[2K";

/** The part of a terminal that is needed here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Shows on a terminal how far a run is, from its first second on.
 *
 * @returns a function that ends it and leaves no trace; calling it again does nothing.
 */
export function showProgress(poll: () => string, screen: Screen): () => void {
  if (screen.isTTY !== true) return () => undefined;
  const start = performance.now();
  let shown = "";
  const timer = setInterval(() => {
    if (performance.now() - start < QUIET_MS) return;
    const line = progressLine(poll()).slice(0, (screen.columns ?? 80) - 1);
    if (line !== shown) screen.write(ERASE + line);
    shown = line;
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    if (shown !== "") screen.write(ERASE);
    shown = "";
  };
}

/** `parsing 120/3000`. */
export function progressLine(json: string): string {
  const { phase, done, total } = JSON.parse(json) as Progress;
  return total > 0 ? `headstart: ${phase} ${done}/${total}` : `headstart: ${phase}`;
}
