import { statSync } from "node:fs";
import { relative, resolve } from "node:path";

import { observe, type Evidence, type Observation } from "@headstart/observe";
import { many, time, whole } from "@headstart/report";
import { messageOf } from "@headstart/verify/errors";

import type { ObserveInvocation } from "./args.js";
import { HeadstartError } from "./errors.js";
import type { Interrupts } from "./interrupts.js";
import { packageFile, packageVersion } from "./package.js";
import { printError } from "./terminal.js";
import { printable } from "./trace-tables.js";

/** How long an observed command may take to end after an interrupt, in milliseconds. */
const GRACE_MS = 6000;
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
  interrupts.graceMs = GRACE_MS;
  try {
    const { evidence, exitCode, unread, isWritten } = await observe({
      ...{ tool: `headstart ${packageVersion()}`, project, out },
      command: command ?? ["npm", "test"],
      setup: packageFile("dist/observe-setup.cjs"),
      signal: interrupts.signal,
    });
    // The command's own output is on the standard output.
    await printError(
      printable(`\n${summary(evidence)}\n${ending(isWritten, relative(process.cwd(), out))}\n`),
    );
    if (unread.length > 0) {
      await printError(
        `note: nothing is observed in files that cannot be parsed: ${unread.join(", ")}\n`,
      );
    }
    return exitCode;
  } catch (error) {
    if (error instanceof HeadstartError) throw error;
    throw new HeadstartError(messageOf(error), { cause: error });
  }
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
