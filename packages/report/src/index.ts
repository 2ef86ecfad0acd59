export { testsCsv } from "./csv.js";
export { reportHtml } from "./html.js";
export { parseResults } from "./json.js";
export type * from "./result.js";
export { verdict, type Verdict } from "./verdict.js";
