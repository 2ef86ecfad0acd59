import { messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import { loadAddon } from "./native.js";
import type { Request, Response } from "./protocol.js";

/** Has the addon answer a request. */
export async function runRequest<Report>(request: Request): Promise<Response<Report>> {
  const addon = loadAddon();
  let answer: string;
  try {
    answer = await addon.run(JSON.stringify(request));
  } catch (error) {
    throw new HeadstartError(`the native addon failed: ${messageOf(error)}`, { cause: error });
  }
  return JSON.parse(answer) as Response<Report>;
}

/** The report of an answer; throws what kept the request from being carried out. */
export function reportOf<Report>({ exitCode, report, stderr }: Response<Report>): Report {
  if (exitCode === 2 || report === null) throw new HeadstartError(errorsIn(stderr));
  return report;
}

/** The errors in what the command would print on standard error, without the notices. */
function errorsIn(stderr: string): string {
  const errors = [...stderr.matchAll(/^error: (.*)$/gm)].map((match) => match[1]);
  return errors.length > 0 ? errors.join("\n") : stderr.trim();
}
