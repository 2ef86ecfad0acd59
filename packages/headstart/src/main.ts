import { type Invocation, parseArguments, UsageError } from "./args.js";
import { HeadstartError } from "./errors.js";
import { commandHelp, globalHelp } from "./help.js";
import { packageVersion } from "./package.js";
import { print, printError, tolerateClosedPipes } from "./terminal.js";

/** The command: takes the arguments after `node cli.js`, returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  tolerateClosedPipes();
  try {
    return await dispatch(parseArguments(argv));
  } catch (error) {
    await printError(textOf(error));
    return error instanceof HeadstartError ? error.exitCode : 2;
  }
}

async function dispatch(invocation: Invocation): Promise<number> {
  switch (invocation.kind) {
    case "version":
      await print(`${packageVersion()}\n`);
      return 0;
    case "help":
      await print(
        invocation.command === undefined
          ? globalHelp(packageVersion())
          : commandHelp(invocation.command),
      );
      return 0;
    default: {
      // Keeps --version and --help free of everything that only a run needs.
      const { runCommand } = await import("./run.js");
      return runCommand(invocation);
    }
  }
}

function textOf(error: unknown): string {
  if (error instanceof UsageError && error.missingCommand) return globalHelp(packageVersion());
  if (error instanceof HeadstartError) return `error: ${error.message}\n`;
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `error: this is a bug in headstart, please report it: ${trace}\n`;
}
