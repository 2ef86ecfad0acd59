import { HeadstartError, SyntaxProblem } from "./errors.js";
import { loadAddon, type TextAnswer } from "./native.js";
import { checkInput, LONE, NAME } from "./optimize-check.js";
import type {
  Optimized,
  OptimizedFunction,
  OptimizeOptions,
  SourceMap,
  Ungated,
} from "./optimize-types.js";
import type { KnownPlaces } from "./whole.js";

/** What the addon says of the functions of a text. */
interface TextReport {
  readonly functions: readonly OptimizedFunction[];
  readonly ungated: readonly Ungated[];
  /** Line 0 where the options are wrong, not the text. */
  readonly error: { readonly message: string; line: number; column: number } | null;
}

/**
 * What a text has in it if {@link optimize} can do anything about it: a cheap look for those who
 * have many texts.
 */
export const OPTIMIZABLE = /async|await/;

/**
 * Whether the text of a file may be {@link OPTIMIZABLE}; also where it cannot be read. Several times as fast as to read
 * the text and look, for those who have thousands of files.
 */
export function mayBeOptimizable(file: string): boolean {
  return loadAddon().mayBeOptimizable(file);
}

/**
 * Removes the overhead of async functions that do not wait: those that ask for it with the
 * directive `"perhaps async"`, and those whose result is awaited at once where they are called.
 * `known` is what the rest of its program shows of the text (`readWhole`).
 *
 * @throws {@link SyntaxProblem} when the text does not parse, {@link HeadstartError} when the
 * options or the installation are wrong.
 */
export function optimize(
  code: string,
  options: OptimizeOptions = {},
  known?: KnownPlaces,
): Optimized {
  return optimized(code, options, loadAddon().optimize(requestOf(code, options, known), code));
}

/**
 * As {@link optimize}, on another thread: many texts are optimised side by side.
 *
 * @throws as {@link optimize}.
 */
export async function optimizeAsync(
  code: string,
  options: OptimizeOptions = {},
  known?: KnownPlaces,
): Promise<Optimized> {
  const request = requestOf(code, options, known);
  return optimized(code, options, await loadAddon().optimizeAsync(request, code));
}

function requestOf(code: string, given: OptimizeOptions, known?: KnownPlaces): string {
  checkInput(code, given);
  const { file = NAME, only, ...options } = given;
  return JSON.stringify({ file: wellFormed(file), options, only, known });
}

/** Names of files may be anything, but the engine takes text. */
function wellFormed(name: string): string {
  return LONE.test(name) ? Buffer.from(name).toString() : name;
}

function optimized(code: string, { file = NAME }: OptimizeOptions, answer: TextAnswer): Optimized {
  const { functions, ungated, error } = JSON.parse(answer.report) as TextReport;
  if (error !== null) {
    const { message, line, column } = error;
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
    functions,
    ungated,
  };
}

/** What `headstart optimize --report` prints of a file: a line for each async function. */
export function reportLines(file: string, functions: readonly OptimizedFunction[]): string {
  return functions.map((it) => reportLine(file, it)).join("");
}

/** A line of that report; `note` stands behind the name. */
export function reportLine(file: string, it: OptimizedFunction, note = ""): string {
  return `${file}:${lineOf(it, note)}\n`;
}

/** How many functions of a file are named that stay as they are by a mistake. */
const MOST_NAMED = 3;

/**
 * What is to be said of functions of a file that only stay as they are because of a mistake of headstart;
 * usually there are none, and it is `null`.
 */
export function mistakesIn(file: string, functions: readonly OptimizedFunction[]): string | null {
  const all = functions.filter((it) => it.mistake === true);
  if (all.length === 0) return null;
  const named = all.slice(0, MOST_NAMED).map((it) => `${nameOf(it)} (line ${String(it.line)})`);
  const more = all.length > named.length ? ` and ${String(all.length - named.length)} more` : "";
  return (
    `${file}: what becomes of ${named.join(", ")}${more} does not parse, so it stays as it is; ` +
    "that is a mistake of headstart, please report it with the file"
  );
}

const nameOf = ({ name }: OptimizedFunction) => (name === "" ? "a function without a name" : name);

const CONVERTED = {
  asked: (twin: string) => `converted (twin: ${twin})`,
  inPlace: (twin: string) => `converted for all callers (twin: ${twin})`,
  beside: (twin: string) => `converted for those that await it at once (twin: ${twin})`,
  inBlocks: (twin: string) => `converted for atomic blocks (twin: ${twin})`,
};

function lineOf(
  { line, column, name, calls, eased, outcome }: OptimizedFunction,
  note: string,
): string {
  const all = String(calls.awaited + calls.other);
  const sites =
    calls.awaited > 0 ? `; ${String(calls.awaited)} of ${all} uses await it at once` : "";
  const shown = name === "" ? "(no name)" : name;
  return `${String(line)}:${String(column)} ${shown}${note}: ${resultOf(outcome, easedOf(eased))}${sites}`;
}

function easedOf({ count, of }: OptimizedFunction["eased"]): string {
  if (count === 0) return "";
  const [awaits, wait] = count === 1 ? ["await", "waits"] : ["awaits", "wait"];
  return `; ${String(count)} ${awaits} of ${of.join(", ")} no longer ${wait} where nothing is pending`;
}

function resultOf(outcome: OptimizedFunction["outcome"], eased: string): string {
  switch (outcome.kind) {
    case "converted":
      return CONVERTED[outcome.entry](outcome.twin);
    case "restored":
      return `restored from ${outcome.helper}: ${outcome.form}`;
    case "unwrapped":
      return "unwrapped: it gives back the promise of what it calls";
    case "kept":
      return `kept${eased}: ${outcome.reason}`;
  }
}
