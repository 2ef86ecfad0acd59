import { isAbsolute } from "node:path";

import { SyntaxProblem } from "./errors.js";
import { isOfOtherPackage } from "./in-package.js";
import { mistakesIn, OPTIMIZABLE, optimize } from "./optimize.js";
import type { OptimizeOptions, SourceMap } from "./optimize-types.js";
import { carriedMap, composedMap } from "./source-maps.js";

/** Packages whose modules are compiled, too: `HEADSTART_PACKAGES=name,@scope/other`. */
const PACKAGES = (process.env["HEADSTART_PACKAGES"] ?? "").split(",").map((name) => name.trim());

/** What optimises, and what prints a warning. */
interface Means {
  readonly optimizer: typeof optimize;
  readonly warn: (message: string) => void;
}

const MEANS: Means = {
  optimizer: optimize,
  warn: (message) => {
    process.emitWarning(message, "HeadstartWarning");
  },
};

/**
 * The text of a module, optimised, with its source map at its end, which goes on by way of the one that the
 * module carries itself. Packages are left alone, and so
 * is what does not parse: Node says better what is wrong with it. Warns of functions that stay as they are by
 * a mistake.
 */
export function optimizedSource(
  text: string,
  file: string,
  options: OptimizeOptions,
  { optimizer, warn }: Means = MEANS,
): string {
  if (!isAbsolute(file) || isOfOtherPackage(file, PACKAGES) || !OPTIMIZABLE.test(text)) return text;
  try {
    const optimized = optimizer(text, { ...options, file, sourceMap: true, keepTypes: false });
    const { changed, code, map, functions } = optimized;
    const mistakes = mistakesIn(file, functions);
    if (mistakes !== null) warn(mistakes);
    if (!changed || map === null) return changed ? code : text;
    const carried = carriedMap(text, file);
    return `${code}\n${commentOf(carried === null ? map : composedMap(map, carried))}\n`;
  } catch (error) {
    if (error instanceof SyntaxProblem) return text;
    throw error;
  }
}

function commentOf(map: SourceMap): string {
  const data = Buffer.from(JSON.stringify(map)).toString("base64");
  return `//# sourceMappingURL=data:application/json;base64,${data}`;
}
