import type { Finding } from "./types.js";

/** What is said where no line is known. */
export const PLACELESS_LINES = "No line of the program is known for these.";

/** What is said of a line that nothing is found at. */
export function nothingFound(place: string): string {
  return `Nothing is found at these lines; headstart explain ${place} says what is known of that await.`;
}

/** The same on a page, where the lines stand beside it. */
export const NOTHING_FOUND =
  "nothing is found here; `headstart explain FILE:LINE` says what is known of an await";

/** What a finding says that is no rewrite on offer. */
export function hintText(finding: Finding): string {
  const { level, rule, file, range } = finding;
  return `${level} (${rule}) at ${file}:${range.start.line}: ${whyNot(finding)}`;
}

/** The same on a page. */
export function obstacleText(finding: Finding): string {
  return `${whyNot(finding)} (${finding.level}, ${finding.rule})`;
}

/** What stands in the way of a rewrite, or else what the finding is about. */
function whyNot({ blockers, message }: Finding): string {
  return blockers[0]?.reason ?? message;
}
