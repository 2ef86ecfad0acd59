import { HeadstartError, SyntaxProblem } from "./errors.js";
import { loadAddon } from "./native.js";
import type { Optimized, OptimizedFunction, OptimizeOptions, SourceMap } from "./optimize-types.js";

/** The name of a text that has none. */
const NAME = "input.js";

/** What the addon answers. */
interface Answer {
  /** `null` where nothing changed. */
  readonly code: string | null;
  readonly map: string | null;
  readonly functions: readonly OptimizedFunction[];
  /** Line 0 where the options are wrong, not the text. */
  readonly error: { readonly message: string; line: number; column: number } | null;
}

/**
 * What a text has in it if {@link optimize} can do anything about it: a cheap look for those who
 * have many texts.
 */
export const OPTIMIZABLE = /async|__awaiter/;

/**
 * Removes the overhead of async functions that do not wait: those that ask for it with the
 * directive `"perhaps async"`, and those whose result is awaited at once where they are called.
 *
 * @throws {@link SyntaxProblem} when the text does not parse, {@link HeadstartError} when the
 * options or the installation are wrong.
 */
export function optimize(code: string, options: OptimizeOptions = {}): Optimized {
  return optimized(code, options, loadAddon().optimize(requestOf(code, options)));
}

/**
 * As {@link optimize}, on another thread: many texts are optimised side by side.
 *
 * @throws as {@link optimize}.
 */
export async function optimizeAsync(
  code: string,
  options: OptimizeOptions = {},
): Promise<Optimized> {
  return optimized(code, options, await loadAddon().optimizeAsync(requestOf(code, options)));
}

function requestOf(code: string, { file, ...options }: OptimizeOptions): string {
  return JSON.stringify({ code, file: file ?? NAME, options });
}

function optimized(code: string, { file = NAME }: OptimizeOptions, json: string): Optimized {
  const answer = JSON.parse(json) as Answer;
  if (answer.error !== null) {
    const { message, line, column } = answer.error;
    if (line === 0) throw new HeadstartError(message);
    throw new SyntaxProblem(message, { file, line, column });
  }
  return {
    code: answer.code ?? code,
    changed: answer.code !== null,
    get map() {
      return answer.map === null ? null : (JSON.parse(answer.map) as SourceMap);
    },
    mapText: answer.map,
    functions: answer.functions,
  };
}

/** What `headstart optimize --report` prints of a file: a line for each async function. */
export function reportLines(file: string, functions: readonly OptimizedFunction[]): string {
  return functions.map((it) => `${file}:${lineOf(it)}\n`).join("");
}

const CONVERTED = {
  asked: (twin: string) => `converted (twin: ${twin})`,
  inPlace: (twin: string) => `converted for all callers (twin: ${twin})`,
  beside: (twin: string) => `converted for those that await it at once (twin: ${twin})`,
};

function lineOf({ line, column, name, calls, outcome }: OptimizedFunction): string {
  const all = String(calls.awaited + calls.other);
  const sites =
    calls.awaited > 0 ? `; ${String(calls.awaited)} of ${all} uses await it at once` : "";
  const shown = name === "" ? "(no name)" : name;
  return `${String(line)}:${String(column)} ${shown}: ${resultOf(outcome)}${sites}`;
}

function resultOf(outcome: OptimizedFunction["outcome"]): string {
  switch (outcome.kind) {
    case "converted":
      return CONVERTED[outcome.entry](outcome.twin);
    case "restored":
      return `restored from ${outcome.helper}: ${outcome.form}`;
    case "unwrapped":
      return "unwrapped: it gives back the promise of what it calls";
    case "kept":
      return `kept: ${outcome.reason}`;
  }
}
