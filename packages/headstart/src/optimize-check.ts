import { HeadstartError, SyntaxProblem } from "./errors.js";
import { FUNCTIONS, TICKS } from "./levels.js";
import type { OptimizeOptions, StartPosition } from "./optimize-types.js";
import { didYouMean, listed } from "./suggest.js";

/** The name of a text that has none. */
export const NAME = "input.js";

/** Half of a character: nothing but a string of JavaScript holds it, so the engine cannot be given it. */
export const LONE = /\p{Surrogate}/u;

/** The values of options that are names; `null` for those that are `true` or `false`. */
const VALUES: Record<Exclude<keyof OptimizeOptions, "file" | "only">, readonly string[] | null> = {
  ticks: TICKS,
  functions: FUNCTIONS,
  keepFrames: null,
  sourceMap: null,
  restore: null,
  keepTypes: null,
  commonjs: null,
  atomic: null,
};

const isOption = (name: string): name is keyof typeof VALUES => Object.hasOwn(VALUES, name);

/** Names of options that are no option of `optimize`, but of what hands the others on to it. */
export interface OtherOptions {
  /** What has them. */
  readonly of: string;
  readonly names: readonly string[];
}

const NO_OTHERS: OtherOptions = { of: "optimize", names: ["file", "only"] };

/**
 * Checks options that nothing has checked, as those of a configuration in JavaScript; `others` are checked elsewhere.
 *
 * @throws {@link HeadstartError} that names the option and what it may be.
 */
export function checkOptions(given: unknown, others: OtherOptions = NO_OTHERS): void {
  if (typeof given !== "object" || given === null) {
    throw new HeadstartError(
      `the options of ${others.of} are an object, not ${shownValue(given)}; leave them out for the defaults`,
    );
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || others.names.includes(name)) continue;
    checkOption(name, value, others);
  }
}

function checkOption(name: string, value: unknown, { of, names: others }: OtherOptions): void {
  if (!isOption(name)) {
    throw new HeadstartError(
      `unknown option "${name}" of ${of}; ${didYouMean(name, [...Object.keys(VALUES), ...others])}`,
    );
  }
  const names = VALUES[name];
  const fits = names === null ? typeof value === "boolean" : names.some((it) => it === value);
  if (fits) return;
  const expected = names === null ? "true or false" : listed(names);
  throw new HeadstartError(
    `the option "${name}" of optimize is ${expected}, not ${shownValue(value)}`,
  );
}

/** A value as messages show it. */
export function shownValue(value: unknown): string {
  // What has no JSON, a function or a symbol, is told by its kind.
  if (typeof value === "function" || typeof value === "symbol") return typeof value;
  if (value === undefined) return "undefined";
  try {
    return JSON.stringify(value);
  } catch {
    // A bigint, or an object that holds itself.
    return typeof value === "bigint" ? `${String(value)}n` : "an object";
  }
}

/**
 * Checks what `optimize` gets.
 *
 * @throws {@link HeadstartError} that says what is wrong, a {@link SyntaxProblem} where half of a character stands in
 * the code.
 */
export function checkInput(code: unknown, options: Readonly<OptimizeOptions>): void {
  checkOptions(options);
  const { file = NAME, only } = options as { file?: unknown; only?: unknown };
  if (typeof file !== "string") {
    throw new HeadstartError(
      `the option "file" of optimize is a string, the name of the code, not ${shownValue(file)}`,
    );
  }
  if (only !== undefined) checkPositions(only);
  if (typeof code !== "string") throw new HeadstartError(codeText(code));
  const at = code.search(LONE);
  if (at < 0) return;
  const before = code.slice(0, at).split(LINE_END);
  const line = before.length;
  const column = (before.at(-1) ?? "").length + 1;
  const escape = `\\u${code.charCodeAt(at).toString(16)}`;
  const reason = `half of a character stands here (a lone surrogate); write it as the escape ${escape}`;
  throw new SyntaxProblem(reason, { file, line, column });
}

/** Where lines end in JavaScript. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

function codeText(code: unknown): string {
  if (code instanceof Uint8Array) {
    return 'the code is bytes, and optimize takes a string; decode it, as in code.toString("utf8") of a Buffer';
  }
  const given = typeof code === "object" && code !== null ? "an object" : shownValue(code);
  return `the code that optimize takes is a string, not ${given}`;
}

function checkPositions(value: unknown): void {
  const isCount = (it: unknown) => Number.isInteger(it) && (it as number) > 0;
  const isPosition = (it: unknown) => {
    const { line, column } = (it ?? {}) as Partial<StartPosition>;
    return isCount(line) && isCount(column);
  };
  if (Array.isArray(value) && value.every(isPosition)) return;
  throw new HeadstartError(
    'the option "only" of optimize is an array of { line, column }, both counted from one',
  );
}
