export { SpansError } from "./errors.js";
export { readSpans, type ReadResult } from "./read-spans.js";
export type { Place, Span } from "./span.js";
export { SpanTable } from "./span-table.js";
export { findWaterfalls, type Step, type Waterfall, type Waterfalls } from "./waterfalls.js";
