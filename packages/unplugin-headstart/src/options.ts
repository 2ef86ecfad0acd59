import { types } from "node:util";

import { createFilter } from "@rollup/pluginutils";
import { checkOptions, HeadstartError, isOfOtherPackage, optimize, shownValue } from "headstart";
import type { OptimizedFunction, OptimizeOptions } from "headstart";

import { Transformer } from "./transformer.js";
import { Whole } from "./whole.js";

/** Globs, relative to the current folder, or regular expressions, held against a module's id. */
export type Patterns = string | RegExp | readonly (string | RegExp)[];

/** What becomes of the async functions of a file. */
export type Report = (file: string, functions: readonly OptimizedFunction[]) => void;

/**
 * Options of the plugin: which modules are looked at, and all that `optimize` of `headstart` takes.
 * Source maps are made where the bundler makes them.
 */
export interface Options extends Omit<OptimizeOptions, "file" | "only" | "sourceMap"> {
  /** Modules to look at; JavaScript, TypeScript and components of Vue and Svelte by default. */
  readonly include?: Patterns | undefined;
  /** Modules to leave alone; those in `node_modules` by default. */
  readonly exclude?: Patterns | undefined;
  /** Packages in `node_modules` that are not left alone: `["name", "@scope/other"]`. */
  readonly packages?: readonly string[] | undefined;
  /**
   * Says of every async function whether it was converted, each time its file is transformed: to
   * standard output with `true`, or to a function.
   */
  readonly report?: boolean | Report | undefined;
  /**
   * Whether the whole program is read first, so that calls from file to file are made fast, too; `true` by default
   * where `functions` is `"all"` and `ticks` is `"relaxed"`, which it needs.
   */
  readonly whole?: boolean | undefined;
  /**
   * Whether the development server of Vite, and webpack and Rspack where they watch in the mode `"development"`,
   * get optimised modules, too; `false` by default.
   */
  readonly dev?: boolean | undefined;
}

/** What options come to: what transforms modules, and which. */
export interface Chosen {
  readonly transformer: Transformer;
  readonly isIncluded: (id: string) => boolean;
  readonly dev: boolean;
}

/**
 * Reads options. Wrong ones and a missing addon are said here, not for each file.
 *
 * @throws `HeadstartError` that says which and why.
 */
export function chosen(options: Options): Chosen {
  checkOptions(options, { of: NAME, names: Object.keys(OWN) });
  checkOwn(options);
  const { include = [], exclude = [], packages = [], report = false, ...others } = options;
  const { whole, dev = false, ...optimizing } = others;
  optimize("", optimizing);
  const isChosen = createFilter(include, exclude);
  const isLeft = (id: string) => options.exclude === undefined && isOfOtherPackage(id, packages);
  return {
    transformer: new Transformer(optimizing, { report, whole: wholeFor(whole, optimizing) }),
    isIncluded: (id) => isChosen(id) && !isLeft(id),
    dev,
  };
}

const NAME = "unplugin-headstart";

/** The options that are none of `optimize`. */
type Own = Exclude<keyof Options, keyof OptimizeOptions>;

/** What an option may be, in words, and whether a value is that. */
type Kind = readonly [expected: string, fits: (value: unknown) => boolean];

const SWITCH: Kind = ["true or false", (value) => typeof value === "boolean"];

const isPattern = (value: unknown) => typeof value === "string" || types.isRegExp(value);

const PATTERNS: Kind = [
  "a glob, a regular expression or an array of them",
  // The filter takes `null` for no patterns.
  (value) => value === null || isPattern(value) || (Array.isArray(value) && value.every(isPattern)),
];

const OWN: Readonly<Record<Own, Kind>> = {
  include: PATTERNS,
  exclude: PATTERNS,
  packages: [
    "an array of the names of packages",
    (value) => Array.isArray(value) && value.every((it) => typeof it === "string"),
  ],
  report: [
    "true, false or a function",
    (value) => typeof value === "boolean" || typeof value === "function",
  ],
  whole: SWITCH,
  dev: SWITCH,
};

function checkOwn(options: Options): void {
  for (const [name, [expected, fits]] of Object.entries(OWN)) {
    const value = options[name as Own];
    if (value === undefined || fits(value)) continue;
    throw new HeadstartError(
      `the option "${name}" of ${NAME} is ${expected}, not ${shownValue(value)}`,
    );
  }
}

function wholeFor(
  asked: boolean | undefined,
  { functions = "all", ticks = "relaxed" }: OptimizeOptions,
): Whole | null {
  const isPossible = functions === "all" && ticks === "relaxed";
  if (asked === true && !isPossible) {
    throw new HeadstartError(
      'the option "whole" of unplugin-headstart needs "functions": "all" and "ticks": "relaxed"; leave it out',
    );
  }
  return (asked ?? isPossible) ? new Whole() : null;
}
