import { createFilter } from "@rollup/pluginutils";
import { isOfOtherPackage, optimize } from "headstart";
import type { OptimizedFunction, OptimizeOptions } from "headstart";

import { Transformer } from "./transformer.js";

/** Globs, relative to the current folder, or regular expressions, held against a module's id. */
export type Patterns = string | RegExp | readonly (string | RegExp)[];

/** What becomes of the async functions of a file. */
export type Report = (file: string, functions: readonly OptimizedFunction[]) => void;

/**
 * Options of the plugin: which modules are looked at, and all that `optimize` of `headstart` takes.
 * Source maps are made where the bundler makes them.
 */
export interface Options extends Omit<OptimizeOptions, "file" | "sourceMap"> {
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
}

/** What options come to: what transforms modules, and which. */
export interface Chosen {
  readonly transformer: Transformer;
  readonly isIncluded: (id: string) => boolean;
}

/**
 * Reads options. Wrong ones and a missing addon are said here, not for each file.
 *
 * @throws `HeadstartError` that says which and why.
 */
export function chosen(options: Options): Chosen {
  const { include = [], exclude = [], packages = [], report = false, ...optimizing } = options;
  optimize("", optimizing);
  const isChosen = createFilter(include, exclude);
  const isLeft = (id: string) => options.exclude === undefined && isOfOtherPackage(id, packages);
  return {
    transformer: new Transformer(optimizing, report),
    isIncluded: (id) => isChosen(id) && !isLeft(id),
  };
}
