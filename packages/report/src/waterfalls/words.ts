import { lessOrMore } from "../format.js";
import { many, time } from "../trace/format.js";
import type {
  MeasuredTimes,
  RequestRoute,
  RequestTimes,
  SourcePlace,
  TypicalRequest,
  WaterfallsReport,
} from "./report.js";

/** What the times after are. */
export const COMPUTED =
  "“After” is computed from the trace, not measured: the operations of a rewrite are begun together, and " +
  "each takes as long as it did. All else, also what the program does between them, stays as long as it " +
  "was. Operations that are under way at once may slow one another down; headstart verify measures that.";

/** What the upper bound of a route is. */
export const AT_MOST =
  "What would be saved if all operations that never overlap ran at once: an upper bound, as some may need what others give.";

/** The name of a route. */
export function routeName({ name }: RequestRoute): string {
  return name === "" ? "a parent that is not in the trace" : name;
}

/** `src/pages.js:13` */
export function placeText({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}

/** A link that opens an editor at a place; `project` is absolute. */
export function editorLink(project: string, { file, line, column }: SourcePlace): string {
  const isAbsolute = /^(\/|[a-z]:\/)/i.test(file);
  const path = isAbsolute ? file : `${project}/${file}`;
  // What stands for something else in an address is no part of a path.
  const encoded = path
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^([a-z])%3A/i, "$1:");
  return `vscode://file/${encoded.replace(/^\//, "")}:${line}:${Math.max(1, column)}`;
}

/** `189 ms before, 91.2 ms after: 51.7% less` */
export function beforeAfter({ beforeMs, afterMs }: TypicalRequest): string {
  return `${time(beforeMs)} before, ${time(afterMs)} after: ${change({ beforeMs, afterMs })}`;
}

/** `51.7% less` */
export function change({
  beforeMs,
  afterMs,
}: Pick<TypicalRequest, "beforeMs" | "afterMs">): string {
  return lessOrMore(beforeMs === 0 ? 0 : 100 * (1 - afterMs / beforeMs));
}

/** Of which request the picture is. */
export function typicalText({ requests, shorter }: RequestRoute): string {
  if (requests === 1) return "The only request";
  const [count, which] =
    shorter > 0 ? [shorter, "that a rewrite would make shorter"] : [requests, ""];
  if (shorter === 0) return `The median of the requests that wait, of ${many(requests, "request")}`;
  if (shorter === requests) return `The median of ${many(requests, "request")}`;
  return `The median of the ${many(count, "request")} ${which}, of ${many(requests, "request")}`;
}

/** What the rewrites would save of a route in all. */
export function savedText({ savedMs, shorter, requests }: RequestRoute): string {
  if (savedMs === 0) return "No rewrite would make these requests shorter.";
  const of =
    shorter === requests
      ? many(requests, "request")
      : `${many(shorter, "request")} of ${requests.toLocaleString("en-US")}`;
  return `The rewrites below would have saved ${time(savedMs)} in ${of}.`;
}

/** What a later trace has of requests. */
export function measuredText({ before, after }: Omit<MeasuredTimes, "name">): string {
  const less = change({ beforeMs: before.medianMs, afterMs: after.medianMs });
  const of = ({ requests, medianMs }: RequestTimes): string =>
    `${time(medianMs)} at the median of ${many(requests, "request")}`;
  return `${of(before)} before, ${of(after)} after the rewrite: ${less}`;
}

/** The most important sentence of all. */
export function headline({ routes, totals }: WaterfallsReport): string {
  if (routes.length === 0) return "No operations always ran one after the other.";
  if (totals.savedMs === 0)
    return "Operations wait for one another, and nothing is offered that would change it.";
  return `Rewrites would have saved ${time(totals.savedMs)} of waiting.`;
}

/** The most important numbers: of all requests, also of those that are not shown. */
export function facts(report: WaterfallsReport): (readonly [name: string, figure: string])[] {
  const { routes, spans, routesLeft, totals } = report;
  const { requests, savedMs, atMostMs, rewrites } = totals;
  const count = routes.length + routesLeft;
  return [
    ["saved by rewrites, in all requests", time(savedMs)],
    ["saved if all that waits ran at once", time(atMostMs)],
    [count === 1 ? "route that waits" : "routes that wait", count.toLocaleString("en-US")],
    [requests === 1 ? "request of these" : "requests of these", requests.toLocaleString("en-US")],
    [rewrites === 1 ? "rewrite" : "rewrites", rewrites.toLocaleString("en-US")],
    [spans === 1 ? "span" : "spans", spans.toLocaleString("en-US")],
  ];
}
