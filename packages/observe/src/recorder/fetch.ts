import { subscribe, unsubscribe } from "node:diagnostics_channel";

import type { Frames } from "./frames.js";
import type { Touched } from "./journal.js";
import { maskUrlPath } from "./mask.js";
import { safely } from "./wrap.js";

/** What Node's `fetch` and the package undici tell of each request as it is made, in the context of who has asked. */
const MADE = "undici:request:create";
interface Made {
  readonly request: { readonly method: string; readonly origin: string; readonly path: string };
}

/** Methods that have a name in what is recorded, and how others are called. */
const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"];
const OTHER = "_OTHER";

/**
 * Records what is requested by `fetch` and undici. (OpenTelemetry's instrumentation follows a request to its end, by five channels:
 * that costs a server 3% of its time also while nothing is recorded.)
 */
export function watchFetch(frames: Frames, touched: Touched): void {
  const note = ({ request }: Made): void => {
    const frame = frames.current();
    if (frame === undefined) return;
    const what = described(request);
    if (what !== undefined) touched(frame, what);
  };
  const told = (made: unknown): void => {
    safely(() => {
      note(made as Made);
    });
  };
  frames.whileOn({
    begin: () => {
      subscribe(MADE, told);
    },
    end: () => void unsubscribe(MADE, told),
  });
}

/** What a request is of, without values. */
function described({ method, origin, path }: Made["request"]): string | undefined {
  if (method === "CONNECT" || !URL.canParse(path, origin)) return undefined;
  const url = new URL(path, origin);
  const name = method.toUpperCase();
  return `http ${METHODS.includes(name) ? name : OTHER} ${url.origin}${maskUrlPath(url.pathname)}`;
}
