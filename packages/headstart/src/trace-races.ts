import { share, time, type TraceReport, whole } from "@headstart/report";

import { runRequest } from "./engine.js";
import { checkRequest, PLAIN } from "./options.js";
import { profiled } from "./profile.js";
import { printable } from "./trace-tables.js";
import type { CheckReport, Finding } from "./types.js";

/**
 * The places of a program where what is looked at before an await is taken for the same behind it, as far as a trace
 * has seen them run: each holds only as long as nothing comes in between.
 *
 * @returns text for a terminal
 */
export async function races(project: string, { places }: TraceReport): Promise<string> {
  const request = await checkRequest({ paths: [project], level: "hint", deny: "none" }, PLAIN);
  const { report, stderr } = await runRequest<CheckReport>({
    ...request,
    profile: profiled(places),
  });
  if (report === null) return `\n${stderr}`;
  const seen = report.findings.filter(({ rule, observed }) => rule === "atomicity" && observed);
  if (seen.length === 0)
    return "\nNo race of the program (rule atomicity) has run in this trace.\n";
  const rows = seen.sort((a, b) => uninterrupted(b) - uninterrupted(a)).map(row);
  return `\nRaces that the trace has seen, those first that no other tree has come into so far:\n${printable(rows.join("\n"))}\n`;
}

/** The share of the waits in which nothing of another tree ran. */
function uninterrupted({ observed }: Finding): number {
  if (observed === undefined || observed.gaps === 0) return 0;
  return 1 - observed.interruptedByOtherTree / observed.gaps;
}

function row({ file, range, message, observed }: Finding): string {
  if (observed === undefined) return "";
  const { runs, medianMs, interrupted, interruptedByOtherTree, gaps } = observed;
  return (
    `  ${file}:${range.start.line}: ${message}\n` +
    `      ${whole(Math.round(runs))} runs, half of them over within ${time(medianMs)}; something ran ` +
    `in between in ${share(interrupted, gaps)}, of another tree in ${share(interruptedByOtherTree, gaps)}`
  );
}
