import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { reportLines } from "./optimize.js";
import { type Copied, OptimizedCopy } from "./optimize-copy.js";
import { leftOutText, type Places } from "./optimize-places.js";
import type { FunctionInFile } from "./optimize-profile.js";
import { hotIn, profileFor, reportByTime } from "./optimize-profiled.js";
import { print, printError } from "./terminal.js";
import { readWhole, type WholeProgram } from "./whole.js";

/** Carries `optimize` out: a file that cannot be optimised is copied, and makes the exit code 2. */
export async function optimizeFiles(work: OptimizeInvocation): Promise<number> {
  const copy = new OptimizedCopy(work);
  const profile = profileFor(copy, work);
  const isOnlyHot = work.values["only-hot"] !== undefined;
  const hot = profile !== null && isOnlyHot ? await hotIn(copy, work, profile) : null;
  const whole = await wholeOf(copy, work);
  const functions: FunctionInFile[] = [];
  let failed = false;
  for (const file of copy.places.files()) {
    const only = hot === null ? undefined : (hot.get(file) ?? []);
    const copied = await copy.update(file, { known: whole.get(file), only });
    await sayProblems(copied);
    if (profile === null) await sayFunctions(copied, work);
    functions.push(...copied.functions.map((it) => ({ file, function: it })));
    failed ||= copied.error !== null;
  }
  await sayLeftOut(copy.places);
  if (profile !== null && !isOnlyHot) await printError(profile.matched(work.input, functions));
  if (profile !== null && work.values.report === true) await reportByTime(functions, profile);
  return failed ? 2 : 0;
}

/** What the files of a folder show of one another; nothing where functions are only converted that ask for it. */
export async function wholeOf(
  copy: OptimizedCopy,
  { values }: OptimizeInvocation,
): Promise<WholeProgram> {
  const isWanted = values.functions !== "directives" && values.ticks !== "exact";
  if (!copy.places.isFolder || !isWanted) return new Map();
  try {
    return await readWhole(copy.places.from);
  } catch (error) {
    const reason = messageOf(error);
    await printError(`warning: calls from file to file stay as they are: ${reason}\n`);
    return new Map();
  }
}

/** Prints what became of a file. */
export async function sayCopied(copied: Copied, work: OptimizeInvocation): Promise<void> {
  await sayProblems(copied);
  await sayFunctions(copied, work);
}

/** Says what of a folder is no file, and is not copied. */
export async function sayLeftOut({ leftOut }: Places): Promise<void> {
  for (const file of leftOut) await printError(`warning: ${leftOutText(file)}\n`);
}

async function sayProblems({ error, warning }: Copied): Promise<void> {
  if (error !== null) await printError(`error: ${error.message}\n`);
  if (warning !== null) await printError(`warning: ${warning}\n`);
}

async function sayFunctions(
  { name, functions }: Copied,
  { values }: OptimizeInvocation,
): Promise<void> {
  if (values.report === true) await print(reportLines(name, functions));
}
