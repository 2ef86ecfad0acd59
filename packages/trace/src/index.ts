export { type PageOptions, recordPage, type RecordedPage } from "./chromium/record-page.js";
export { TraceError } from "./errors.js";
export { beginsWith, isTrace, recordedBy, type Summary } from "./format/chunk-file.js";
export type { SiteMode } from "./node/sites.js";
export { type CommandOptions, recordCommand, type Recorded } from "./record-command.js";
