export { testsCsv } from "./csv.js";
export { reportHtml } from "./html.js";
export type * from "./result.js";
export { changeOf, counted, lessOrMore, lessOrMoreRange } from "./format.js";
export { mostSaved, timelineFile, timelineText, took } from "./timeline.js";
export { statements, type Statement, verdict, type Verdict } from "./verdict.js";
