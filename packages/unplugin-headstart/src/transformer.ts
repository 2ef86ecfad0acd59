import { mistakesIn, OPTIMIZABLE, optimizeAsync, reportLines, SyntaxProblem } from "headstart";
import type { Optimized, OptimizeOptions } from "headstart";

import { shown } from "./modules.js";
import type { Report } from "./options.js";

/** What became of a module; `mistakes` is what is to be said of functions that stay as they are by a mistake. */
export type Outcome =
  | { readonly kind: "same"; readonly mistakes: string | null }
  | { readonly kind: "changed"; readonly result: Optimized; readonly mistakes: string | null }
  | { readonly kind: "problem"; readonly problem: SyntaxProblem };

const SAME: Outcome = { kind: "same", mistakes: null };

/** A module as it was optimised last. */
interface Known {
  readonly code: string;
  readonly sourceMap: boolean;
  readonly outcome: Outcome;
}

/**
 * Optimises modules, and remembers what came of them: bundlers that watch ask again for modules
 * that did not change, and some ask several times in one build.
 */
export class Transformer {
  readonly #options: OptimizeOptions;
  readonly #report: Report | undefined;
  readonly #optimizer: typeof optimizeAsync;
  readonly #known = new Map<string, Known>();

  constructor(options: OptimizeOptions, report: boolean | Report, optimizer = optimizeAsync) {
    this.#options = options;
    this.#optimizer = optimizer;
    this.#report = report === true ? print : report === false ? undefined : report;
  }

  /** Optimises the module in `file`; `id` tells it from others. */
  async transform(code: string, id: string, file: string, sourceMap: boolean): Promise<Outcome> {
    if (!OPTIMIZABLE.test(code)) return SAME;
    const known = this.#known.get(id);
    if (known?.code === code && known.sourceMap === sourceMap) return known.outcome;
    const outcome = await this.#optimize(code, file, sourceMap);
    this.#known.set(id, { code, sourceMap, outcome });
    return outcome;
  }

  async #optimize(code: string, file: string, sourceMap: boolean): Promise<Outcome> {
    try {
      // Bundlers take the types off.
      const options = { keepTypes: false, ...this.#options, file, sourceMap };
      const result = await this.#optimizer(code, options);
      this.#report?.(shown(file), result.functions);
      const mistakes = mistakesIn(shown(file), result.functions);
      return result.changed ? { kind: "changed", result, mistakes } : { kind: "same", mistakes };
    } catch (problem) {
      if (problem instanceof SyntaxProblem) return { kind: "problem", problem };
      throw problem;
    }
  }
}

const print: Report = (file, functions) => {
  process.stdout.write(reportLines(file, functions));
};

/** What a bundler says of a module that does not parse, which it gets as it is. */
export function warningOf({ file, line, column, reason }: SyntaxProblem): string {
  const place = `${shown(file)}:${String(line)}:${String(column)}`;
  return `${place}: ${reason}; headstart leaves this file as it is (the option "exclude" keeps it from looking)`;
}
