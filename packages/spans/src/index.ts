export { SpansError } from "./errors.js";
export { type Bar, overlapped, type Overlapped, type RoleOf } from "./overlapped.js";
export { readSpans, type ReadResult } from "./read-spans.js";
export type { Joins, Role } from "./roles.js";
export { isWaiting, requestTimes, type RequestTimes, type Route, routesOf } from "./routes.js";
export type { Place, Span } from "./span.js";
export { SpanTable } from "./span-table.js";
export { type Request, Tree } from "./tree.js";
export {
  callsOf,
  findWaterfalls,
  partingCalls,
  type Step,
  type Waterfall,
  type Waterfalls,
} from "./waterfalls.js";
