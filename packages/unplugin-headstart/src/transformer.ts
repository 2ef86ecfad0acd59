import { hash } from "node:crypto";

import { OPTIMIZABLE, optimizeAsync, reportLines, SyntaxProblem } from "headstart";
import type { OptimizeOptions, SourceMap } from "headstart";

import type { ModuleName } from "./modules.js";
import type { Report } from "./options.js";

/** What became of a module. */
export type Outcome =
  | { readonly kind: "same" }
  | { readonly kind: "changed"; readonly code: string; readonly map: SourceMap | null }
  | { readonly kind: "problem"; readonly problem: SyntaxProblem };

const SAME: Outcome = { kind: "same" };

/**
 * Optimises modules, and remembers what came of them: bundlers that watch ask again for modules
 * that did not change, and some ask several times in one build.
 */
export class Transformer {
  readonly #options: OptimizeOptions;
  readonly #report: Report | undefined;
  readonly #known = new Map<string, { readonly digest: string; readonly outcome: Outcome }>();

  constructor(options: OptimizeOptions, report: boolean | Report) {
    this.#options = options;
    this.#report = report === true ? print : report === false ? undefined : report;
  }

  /** Optimises a module; `id` tells it from others. */
  async transform(
    code: string,
    id: string,
    name: ModuleName,
    sourceMap: boolean,
  ): Promise<Outcome> {
    if (!OPTIMIZABLE.test(code)) return SAME;
    const digest = `${String(sourceMap)}:${hash("sha1", code, "base64")}`;
    const known = this.#known.get(id);
    if (known?.digest === digest) return known.outcome;
    const outcome = await this.#optimize(code, name, sourceMap);
    this.#known.set(id, { digest, outcome });
    return outcome;
  }

  async #optimize(code: string, name: ModuleName, sourceMap: boolean): Promise<Outcome> {
    const options = { ...this.#options, file: name.shown, sourceMap };
    try {
      const { changed, map, functions, ...result } = await optimizeAsync(code, options);
      this.#report?.(name.shown, functions);
      return changed ? { kind: "changed", code: result.code, map: placed(map, name) } : SAME;
    } catch (problem) {
      if (problem instanceof SyntaxProblem) return { kind: "problem", problem };
      throw problem;
    }
  }
}

/** The map, with the path that bundlers know the source by. */
function placed(map: SourceMap | null, { path }: ModuleName): SourceMap | null {
  return map && { ...map, file: path, sources: [path] };
}

const print: Report = (file, functions) => {
  process.stdout.write(reportLines(file, functions));
};

/** What a bundler says of a module that does not parse, which it gets as it is. */
export function warningOf({ message }: SyntaxProblem): string {
  return `${message}; headstart leaves this file as it is (the option "exclude" keeps it from looking)`;
}
