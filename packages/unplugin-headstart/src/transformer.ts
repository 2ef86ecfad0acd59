import { mistakesIn, OPTIMIZABLE, optimizeAsync, reportLines, SyntaxProblem } from "headstart";
import type { Optimized, OptimizeOptions } from "headstart";

import { fileOf, pathOf, shown } from "./modules.js";
import type { Report } from "./options.js";
import type { Whole } from "./whole.js";

/** What became of a module, and what the bundler is to warn of. */
export type Outcome = { readonly warnings: readonly string[] } & (
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly result: Optimized }
  | { readonly kind: "problem"; readonly problem: SyntaxProblem }
);

const SAME: Outcome = { kind: "same", warnings: [] };

/** A module as it was optimised last. */
interface Known {
  readonly code: string;
  readonly sourceMap: boolean;
  readonly outcome: Outcome;
}

/** What modules are optimised by; what is left out, `headstart` does. */
export interface Means {
  /** What becomes of the functions of a file is told it. */
  readonly report?: boolean | Report;
  /** What modules show of one another; without it, each is optimised by itself. */
  readonly whole?: Whole | null;
  readonly optimizer?: typeof optimizeAsync;
}

/**
 * Optimises modules, and remembers what came of them: bundlers that watch ask again for modules
 * that did not change, and some ask several times in one build.
 */
export class Transformer {
  readonly #options: OptimizeOptions;
  readonly #report: Report | undefined;
  readonly #whole: Whole | null;
  readonly #optimizer: typeof optimizeAsync;
  readonly #known = new Map<string, Known>();

  constructor(options: OptimizeOptions, means: Means = {}) {
    const { report = false, whole = null, optimizer = optimizeAsync } = means;
    this.#options = options;
    this.#optimizer = optimizer;
    this.#whole = whole;
    this.#report = report === true ? print : report === false ? undefined : report;
  }

  /** A build begins, of what stands below a folder. */
  begin(root: string): void {
    this.#whole?.begin(root);
  }

  /** Optimises a module, which its id tells from others. */
  async transform(code: string, id: string, sourceMap: boolean): Promise<Outcome> {
    if (!OPTIMIZABLE.test(code)) return SAME;
    const known = this.#known.get(id);
    if (known?.code === code && known.sourceMap === sourceMap) return known.outcome;
    const outcome = await this.#optimize(code, id, sourceMap);
    this.#known.set(id, { code, sourceMap, outcome });
    const problem = this.#whole?.takeProblem() ?? null;
    // Not remembered: it is the program's, not the module's.
    return problem === null ? outcome : { ...outcome, warnings: [problem, ...outcome.warnings] };
  }

  async #optimize(code: string, id: string, sourceMap: boolean): Promise<Outcome> {
    const file = fileOf(id);
    try {
      const places = await this.#whole?.placesIn(pathOf(id), code);
      // Bundlers take the types off.
      const { keepTypes = false } = this.#options;
      const options = { ...this.#options, keepTypes, file, sourceMap };
      const result = await this.#optimizer(code, options, places);
      this.#report?.(shown(file), result.functions);
      const mistakes = mistakesIn(shown(file), result.functions);
      const warnings = mistakes === null ? [] : [mistakes];
      return result.changed ? { kind: "changed", result, warnings } : { kind: "same", warnings };
    } catch (problem) {
      if (problem instanceof SyntaxProblem) return { kind: "problem", problem, warnings: [] };
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
