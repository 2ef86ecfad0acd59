import { reportOf, runRequest } from "./engine.js";
import {
  askRequest,
  callGraphRequest,
  checkRequest,
  effectsRequest,
  explainRequest,
  fixRequest,
  PLAIN,
} from "./options.js";
import type { AskReport, CallGraphReport, EffectsReport } from "./report-types.js";
import type {
  AskOptions,
  CallGraphOptions,
  CheckOptions,
  CheckReport,
  EffectsOptions,
  ExplainOptions,
  Explanation,
  FixOptions,
  FixReport,
} from "./types.js";

export { HeadstartError, SyntaxProblem } from "./errors.js";
export { isOfOtherPackage } from "./in-package.js";
export type { Answer, ErrorMode, FixLevel, Level, LogMode } from "./levels.js";
export {
  mayBeOptimizable,
  mistakesIn,
  OPTIMIZABLE,
  optimize,
  optimizeAsync,
  reportLines,
} from "./optimize.js";
export { checkOptions, shownValue } from "./optimize-check.js";
export type * from "./optimize-types.js";
export { mapInFolder } from "./source-maps.js";
export type * from "./types.js";
export { type KnownPlaces, readWhole, type WholeProgram } from "./whole.js";

/**
 * Finds awaits that wait needlessly.
 *
 * @throws {@link HeadstartError} when the options, the configuration or the installation are wrong.
 */
export async function check(options: CheckOptions = {}): Promise<CheckReport> {
  const request = await checkRequest({ ...options, format: "json", deny: "none" }, PLAIN);
  return reportOf(await runRequest<CheckReport>(request));
}

/**
 * Rewrites awaits that wait needlessly, or returns the patch that would. Files that could not
 * be rewritten are in {@link FixReport.failed}.
 *
 * @throws {@link HeadstartError} when the options, the configuration or the installation are wrong.
 */
export async function fix(options: FixOptions = {}): Promise<FixReport> {
  const response = await runRequest<FixReport>(await fixRequest(options, PLAIN));
  // What failed is in the report, and what was written before it must not be lost with it.
  const { report } = response;
  return report !== null && report.failed.length > 0 ? report : reportOf(response);
}

/**
 * Says what is known about the await at a line, and what keeps it from starting earlier.
 *
 * @throws {@link HeadstartError} when there is no such file or line, or the installation is wrong.
 */
export async function explain(options: ExplainOptions): Promise<Explanation> {
  const response = await runRequest<unknown>(await explainRequest(options, PLAIN));
  reportOf(response);
  return { text: response.stdout };
}

/**
 * Finds the functions of the program that each call may call.
 *
 * @throws {@link HeadstartError} when the options, the configuration or the installation are wrong.
 */
export async function callgraph(options: CallGraphOptions = {}): Promise<CallGraphReport> {
  const request = await callGraphRequest({ ...options, format: "json" }, PLAIN);
  return reportOf(await runRequest<CallGraphReport>(request));
}

/**
 * Says what the functions of a file, or the one at a line, may read and write.
 *
 * @throws {@link HeadstartError} when there is no such file or line, or the installation is wrong.
 */
export async function effects(options: EffectsOptions): Promise<EffectsReport> {
  const request = await effectsRequest({ ...options, format: "json" }, PLAIN);
  return reportOf(await runRequest<EffectsReport>(request));
}

/**
 * Asks about functions of which nobody knows what they do, those first that most awaits stand beside.
 *
 * @throws {@link HeadstartError} when the options, the configuration or the installation are wrong.
 */
export async function ask(options: AskOptions = {}): Promise<AskReport> {
  const request = await askRequest({ ...options, format: "json" }, PLAIN);
  return reportOf(await runRequest<AskReport>(request));
}
