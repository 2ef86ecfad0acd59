import type { OptimizeInvocation } from "./args.js";
import { type Copied, OptimizedCopy } from "./optimize-copy.js";
import { print, printError } from "./terminal.js";

/** Carries `optimize` out: a file that cannot be optimised is copied, and makes the exit code 2. */
export async function optimizeFiles(work: OptimizeInvocation): Promise<number> {
  const copy = new OptimizedCopy(work);
  let failed = false;
  for (const file of copy.files()) {
    const copied = await copy.update(file);
    await sayCopied(copied, work);
    failed ||= copied.error !== null;
  }
  return failed ? 2 : 0;
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
