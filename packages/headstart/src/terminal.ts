import { stripVTControlCharacters } from "node:util";

import { codeOf, messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import type { Display } from "./options.js";

/** The width of output that does not go to a terminal. */
const DEFAULT_WIDTH = 100;

/**
 * Whether to print colours: on a terminal unless NO_COLOR is set. FORCE_COLOR is the
 * stronger of the two, as in Node itself.
 */
export function wantsColor(env: NodeJS.ProcessEnv, isTTY: boolean): boolean {
  const force = env["FORCE_COLOR"];
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  const off = env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "";
  return isTTY && !off && env["TERM"] !== "dumb";
}

/** How to print on this process's standard output. */
export function detectDisplay(): Display {
  // Types say they are always there; a pipe has neither, a pseudo terminal can have 0 columns.
  const { isTTY, columns } = process.stdout as { isTTY?: boolean; columns?: number };
  return {
    color: wantsColor(process.env, isTTY === true),
    width: isTTY === true && columns !== undefined && columns > 0 ? columns : DEFAULT_WIDTH,
  };
}

/** Both ends of a conversation are a terminal. */
export function canAsk(): boolean {
  const ends: { isTTY?: boolean }[] = [process.stdin, process.stdout];
  return ends.every(({ isTTY }) => isTTY === true);
}

/**
 * Keeps a failure to write from ending the process with a trace. Whoever prints hears of it,
 * except where nobody reads any more, as in `headstart check | head`.
 */
export function tolerateClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/** Prints on standard output; done when all of it has been handed over. */
export function print(text: string): Promise<void> {
  return write(process.stdout, text);
}

/** Prints on standard error; colours, which are chosen for standard output, only if it shows them. */
export function printError(text: string): Promise<void> {
  const colored = wantsColor(process.env, process.stderr.isTTY);
  return write(process.stderr, colored ? text : stripVTControlCharacters(text));
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (text === "") return Promise.resolve();
  return new Promise((done, fail) => {
    stream.write(text, (error) => {
      if (!error || codeOf(error) === "EPIPE" || stream === process.stderr) done();
      else fail(new HeadstartError(`cannot write the output: ${messageOf(error)}`));
    });
  });
}
