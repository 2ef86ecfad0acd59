import { HeadstartError } from "./errors.js";
import { FUNCTIONS, TICKS } from "./levels.js";
import type { OptimizeOptions, StartPosition } from "./optimize-types.js";
import { didYouMean, listed } from "./suggest.js";

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

/**
 * Checks options that nothing has checked, as those of a configuration in JavaScript.
 *
 * @throws {@link HeadstartError} that names the option and what it may be.
 */
export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (name === "only") {
      checkPositions(value);
      continue;
    }
    if (!isOption(name)) {
      throw new HeadstartError(
        `unknown option "${name}" of optimize; ${didYouMean(name, [...Object.keys(VALUES), "only"])}`,
      );
    }
    const names = VALUES[name];
    const fits = names === null ? typeof value === "boolean" : names.some((it) => it === value);
    if (fits) continue;
    const expected = names === null ? "true or false" : listed(names);
    // What has no JSON, a function or a symbol, is told by its kind.
    const hasNone = typeof value === "function" || typeof value === "symbol";
    const given = hasNone ? typeof value : JSON.stringify(value);
    throw new HeadstartError(`the option "${name}" of optimize is ${expected}, not ${given}`);
  }
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
