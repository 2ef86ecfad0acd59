import { createFilter } from "@rollup/pluginutils";
import { HeadstartError, isOfOtherPackage, optimize } from "headstart";
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
  const { include = [], exclude = [], packages = [], report = false, ...others } = options;
  const { whole, dev = false, ...optimizing } = others;
  checkSwitches({ whole, dev });
  optimize("", optimizing);
  const isChosen = createFilter(include, exclude);
  const isLeft = (id: string) => options.exclude === undefined && isOfOtherPackage(id, packages);
  return {
    transformer: new Transformer(optimizing, { report, whole: wholeFor(whole, optimizing) }),
    isIncluded: (id) => isChosen(id) && !isLeft(id),
    dev,
  };
}

function checkSwitches(switches: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(switches)) {
    if (value === undefined || typeof value === "boolean") continue;
    const given = JSON.stringify(value);
    throw new HeadstartError(
      `the option "${name}" of unplugin-headstart is true or false, not ${given}`,
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
