import { HeadstartError, messageOf } from "./errors.js";
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
export function reportOf<Report>(response: Response<Report>): Report {
  if (response.exitCode === 2) throw new HeadstartError(response.stderr.trim());
  return response.report;
}
