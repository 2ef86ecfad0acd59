import type { OptimizedFunction, OptimizeOptions } from "headstart";

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
  /**
   * Says of every async function whether it was converted, each time its file is transformed: to
   * standard output with `true`, or to a function.
   */
  readonly report?: boolean | Report | undefined;
}

/** What is left alone unless options say otherwise. */
export const EXCLUDED: Patterns = /[\\/]node_modules[\\/]/;
