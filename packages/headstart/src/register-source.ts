import { isAbsolute } from "node:path";

import { SyntaxProblem } from "./errors.js";
import { OPTIMIZABLE, optimize } from "./optimize.js";
import type { OptimizeOptions } from "./optimize-types.js";

const IN_PACKAGE = /[\\/]node_modules[\\/]/;

/**
 * The text of a module, optimised, with its source map at its end. Packages are left alone, and so
 * is what does not parse: Node says better what is wrong with it.
 */
export function optimizedSource(text: string, file: string, options: OptimizeOptions): string {
  if (!isAbsolute(file) || IN_PACKAGE.test(file) || !OPTIMIZABLE.test(text)) return text;
  try {
    const { changed, code, map } = optimize(text, { ...options, file, sourceMap: true });
    return changed ? `${code}\n${commentOf(map)}\n` : text;
  } catch (error) {
    if (error instanceof SyntaxProblem) return text;
    throw error;
  }
}

function commentOf(map: object | null): string {
  const data = Buffer.from(JSON.stringify(map)).toString("base64");
  return `//# sourceMappingURL=data:application/json;base64,${data}`;
}
