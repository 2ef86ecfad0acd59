export { testsCsv } from "./csv.js";
export { reportHtml } from "./html.js";
export type * from "./result.js";
export { verdict, type Verdict } from "./verdict.js";
