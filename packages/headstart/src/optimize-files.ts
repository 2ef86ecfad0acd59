import { messageOf } from "@headstart/verify/errors";

import type { OptimizeInvocation } from "./args.js";
import { type Copied, OptimizedCopy } from "./optimize-copy.js";
import { print, printError } from "./terminal.js";
import { readWhole, type WholeProgram } from "./whole.js";

/** Carries `optimize` out: a file that cannot be optimised is copied, and makes the exit code 2. */
export async function optimizeFiles(work: OptimizeInvocation): Promise<number> {
  const copy = new OptimizedCopy(work);
  const whole = await wholeOf(copy, work);
  let failed = false;
  for (const file of copy.files()) {
    const copied = await copy.update(file, whole.get(file));
    await sayCopied(copied, work);
    failed ||= copied.error !== null;
  }
  return failed ? 2 : 0;
}

/** What the files of a folder show of one another; nothing where functions are only converted that ask for it. */
export async function wholeOf(
  copy: OptimizedCopy,
  { values }: OptimizeInvocation,
): Promise<WholeProgram> {
  const isWanted = values.functions !== "directives" && values.ticks !== "exact";
  if (!copy.isFolder || !isWanted) return new Map();
  try {
    return await readWhole(copy.from);
  } catch (error) {
    const reason = messageOf(error);
    await printError(`warning: calls from file to file stay as they are: ${reason}\n`);
    return new Map();
  }
}

/** Prints what became of a file. */
export async function sayCopied(
  { report, error, mistakes }: Copied,
  { values }: OptimizeInvocation,
): Promise<void> {
  if (error !== null) await printError(`error: ${error.message}\n`);
  if (mistakes !== null) await printError(`warning: ${mistakes}\n`);
  if (values.report === true) await print(report);
}
