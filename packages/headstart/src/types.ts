import type { Answer, ErrorMode, FixLevel, Level, LogMode } from "./levels.js";

export type * from "./report-types.js";

/** The result of {@link explain}. */
export interface Explanation {
  /** What `headstart explain` prints, without colour. */
  readonly text: string;
}

/** What all calls understand. Anything not given comes from the configuration, then from the defaults. */
export interface CommonOptions {
  /** The folder that paths are relative to; `process.cwd()` by default. */
  readonly cwd?: string | undefined;
  /** A configuration file, or `false` to read none; by default the nearest one above `cwd`. */
  readonly config?: string | false | undefined;
  /** `"one"` by default. */
  readonly errors?: ErrorMode | undefined;
  /** `"in-order"` by default. */
  readonly logs?: LogMode | undefined;
  /** Globs as in a `.gitignore`, relative to `cwd`. */
  readonly exclude?: readonly string[] | undefined;
  /** What functions of the program do, by `FILE#NAME`, the file relative to `cwd`. */
  readonly assume?: Readonly<Record<string, Answer>> | undefined;
  /**
   * What `headstart observe` has recorded, relative to `cwd`, or `false` to use none; by default what it has left beside the
   * paths.
   */
  readonly evidence?: string | false | undefined;
  /** The names of dependencies to analyse from their source. */
  readonly deps?: readonly string[] | undefined;
  /** YAML files with models of modules, relative to `cwd`. */
  readonly models?: readonly string[] | undefined;
}

/** Options of {@link check}. */
export interface CheckOptions extends CommonOptions {
  /** Files and folders, each part of the project that it belongs to; `["."]` by default. */
  readonly paths?: readonly string[] | undefined;
  /** The weakest level to report; `"likely"` by default. */
  readonly level?: Level | undefined;
  /** Whether to look at test files too; `false` by default. */
  readonly includeTests?: boolean | undefined;
  /** Whether to fill {@link Finding.rendered}; `false` by default. */
  readonly rendered?: boolean | undefined;
  /** The level of {@link fix} for which {@link Finding.applied} says what it would do. */
  readonly applied?: FixLevel | undefined;
  /** A trace of the running program: findings say how long is really waited, the longest first. */
  readonly profile?: string | undefined;
}

/** Options of {@link fix}. */
export interface FixOptions extends CommonOptions {
  /** Files and folders; `["."]` by default. */
  readonly paths?: readonly string[] | undefined;
  /** The weakest level to rewrite; `"safe"` by default. The configuration does not change it. */
  readonly level?: FixLevel | undefined;
  /** Whether to look at test files too; `false` by default. */
  readonly includeTests?: boolean | undefined;
  /** Whether to return a patch in {@link FixReport.diff} and write nothing; `false` by default. */
  readonly diff?: boolean | undefined;
  /** The ids of the findings to rewrite; all of them by default. */
  readonly only?: readonly string[] | undefined;
}

/** Options of {@link explain}. */
export interface ExplainOptions extends CommonOptions {
  /** The file, relative to `cwd`. */
  readonly file: string;
  /** The line of the await, counted from one. */
  readonly line: number;
}

/** Options of {@link callgraph}. */
export interface CallGraphOptions extends CommonOptions {
  /** Files and folders; `["."]` by default. */
  readonly paths?: readonly string[] | undefined;
  /** Whether to look at test files too; `false` by default. */
  readonly includeTests?: boolean | undefined;
}

/** Options of {@link effects}. */
export interface EffectsOptions extends CommonOptions {
  /** The file, relative to `cwd`. */
  readonly file: string;
  /** A line of the function, counted from one; without it, all functions of the file are meant. */
  readonly line?: number | undefined;
}

/** Options of {@link ask}. */
export interface AskOptions extends CommonOptions {
  /** Files and folders; `["."]` by default. */
  readonly paths?: readonly string[] | undefined;
  /** Whether to look at test files too; `false` by default. */
  readonly includeTests?: boolean | undefined;
  /** How many questions are wanted at most; 5 by default. */
  readonly most?: number | undefined;
}
