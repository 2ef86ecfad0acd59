import { HeadstartError } from "./errors.js";
import { loadAddon } from "./native.js";
import type { Optimized, OptimizedFunction, OptimizeOptions, SourceMap } from "./optimize-types.js";

/** What the addon answers. */
interface Answer {
  readonly code: string;
  readonly map: string | null;
  readonly functions: readonly OptimizedFunction[];
  readonly error: string | null;
}

/**
 * Removes the overhead of async functions that do not wait: those that ask for it with the
 * directive `"perhaps async"`, and those whose result is awaited at once where they are called.
 *
 * @throws {@link HeadstartError} when the text does not parse, or the installation is wrong.
 */
export function optimize(code: string, options: OptimizeOptions = {}): Optimized {
  const { file = "input.js", ticks = "relaxed", functions = "all" } = options;
  const { keepFrames = false, sourceMap = false } = options;
  const request = JSON.stringify({ code, file, ticks, functions, keepFrames, sourceMap });
  const answer = JSON.parse(loadAddon().optimize(request)) as Answer;
  if (answer.error !== null) throw new HeadstartError(answer.error);
  return {
    code: answer.code,
    map: answer.map === null ? null : (JSON.parse(answer.map) as SourceMap),
    functions: answer.functions,
  };
}
