import { statSync } from "node:fs";
import { relative, resolve } from "node:path";

import {
  type Evidence,
  Interrupted,
  type Observation,
  type Observed,
  observe,
} from "@headstart/observe";
import { many, time, whole } from "@headstart/report";
import { messageOf } from "@headstart/verify/errors";

import type { ObserveInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import type { Interrupts } from "./interrupts.js";
import { packageFile, packageVersion } from "./package.js";
import { printError } from "./terminal.js";
import { printable } from "./trace-tables.js";

/** How many awaits are shown. */
const SHOWN = 10;

/** Runs a command and records what awaits touch. Returns its exit code. */
export async function runObserve(
  { path, values, command }: ObserveInvocation,
  interrupts: Interrupts,
): Promise<number> {
  const project = resolve(path ?? ".");
  const out = resolve(values.out ?? `${project}/.headstart/evidence.json`);
  if (!isFolder(project))
    throw new HeadstartError(`${path ?? "."} is no folder: name that of the project`);
  if (isFolder(out))
    throw new HeadstartError(`--out ${values.out ?? out} is a folder: name a file to write`);
  // The command is asked what becomes of them.
  interrupts.dispose();
  try {
    const observed = await observe({
      ...{ tool: `headstart ${packageVersion()}`, project, out },
      command: command ?? ["npm", "test"],
      setup: packageFile("dist/observe-setup.cjs"),
    });
    // The command's own output is on the standard output.
    await printError(printable(told(observed, relative(process.cwd(), out))));
    return observed.exitCode;
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    if (error instanceof HeadstartError) throw error;
    throw new HeadstartError(messageOf(error), { cause: error });
  }
}

/** What is said of a run. */
function told(observed: Observed, out: string): string {
  const { evidence, isWritten } = observed;
  const notes = notesOn(observed).map((it) => `note: ${it}`);
  return `\n${[summary(evidence), ending(isWritten, out), ...notes].join("\n")}\n`;
}

function notesOn({ unread, tooDeep, damaged, isKilled }: Observed): string[] {
  const notes: [boolean, string][] = [
    [unread.length > 0, `nothing is observed in files that cannot be parsed: ${unread.join(", ")}`],
    [
      tooDeep.length > 0,
      `nothing is observed in files in which some hundred functions or calls stand in each other: ${tooDeep.join(", ")}`,
    ],
    [
      damaged > 0,
      `a part of the recording is missing: ${many(damaged, "line")} that processes wrote could not be read`,
    ],
    [
      isKilled,
      "the command was killed, since it did not end in 5 s after a signal, or there was a second one",
    ],
  ];
  return notes.flatMap(([holds, note]) => (holds ? [note] : []));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function ending(isWritten: boolean, out: string): string {
  return isWritten ? `Written to ${out}` : `${out} is the recording that was there before`;
}

/** What was seen, the longest waits first. */
function summary({ awaits }: Evidence): string {
  if (awaits.length === 0) return "No await of the project has run.";
  const touching = awaits.filter(({ operations }) => operations.length > 0);
  const longest = [...touching].sort((one, other) => other.ms - one.ms).slice(0, SHOWN);
  const rows = longest.map(row);
  return [
    `${many(awaits.length, "await")} of the project ran, ${whole(touching.length)} of them touched something outside of the program.`,
    ...rows,
  ].join("\n");
}

function row({ file, line, calls, ms, operations }: Observation): string {
  const shown = operations.slice(0, 3).map(({ what }) => what.slice(0, 70));
  const more =
    operations.length > shown.length ? ` and ${operations.length - shown.length} more` : "";
  const times = calls === 1 ? "once" : `${whole(calls)} times`;
  return `  ${file}:${line}: ${times}, ${time(ms)}: ${shown.join("; ")}${more}`;
}
