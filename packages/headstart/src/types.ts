import type { ErrorMode, FixLevel, Level } from "./levels.js";

/** A place in a file. */
export interface Position {
  /** Counted from one. */
  readonly line: number;
  /** Counted from one, in UTF-16 units as in editors. */
  readonly column: number;
}

/** A stretch of a file; `end` is the first place after it. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A reason why an await cannot be moved. */
export interface Blocker {
  readonly reason: string;
  /** Where in the file of the finding the reason lies, if at one place. */
  readonly range: Range | null;
}

/** One edit of a rewrite. */
export interface Replacement {
  /** What is replaced. */
  readonly range: Range;
  /** What takes its place. */
  readonly text: string;
}

/** An await that waits needlessly. */
export interface Finding {
  /** Names the finding for {@link FixOptions.only}, as long as the file does not change. */
  readonly id: string;
  /** The rule that found it. */
  readonly rule: string;
  readonly level: Level;
  /** Relative to `cwd`; absolute where it lies outside of it. */
  readonly file: string;
  /** The statement that waits needlessly. */
  readonly range: Range;
  /** One sentence. */
  readonly message: string;
  /** The statements whose operations would run at the same time as this one. */
  readonly overlaps: readonly Range[];
  /** The awaits this one would no longer wait for. */
  readonly crosses: readonly Range[];
  /** What has to hold for the rewrite to keep the behaviour. */
  readonly assumptions: readonly string[];
  /** What stands in the way of a rewrite. */
  readonly blockers: readonly Blocker[];
  /** The edits of the rewrite, or `null` when there is none to offer. */
  readonly replacement: readonly Replacement[] | null;
  /** Milliseconds that the rewrite saves each time, by typical costs: an estimate, to order by. */
  readonly estimatedGainMs: number;
  /** The finding as the command prints it; only with {@link CheckOptions.rendered}. */
  readonly rendered?: string;
}

/** A part of a file, or a file, that was not looked at. */
export interface Skipped {
  readonly file: string;
  readonly reason: string;
  readonly line?: number;
  readonly column?: number;
}

/** A file that was looked at with less knowledge than usual. */
export interface Warning {
  readonly file: string;
  readonly reason: string;
}

/** What a run looked at. */
export interface Stats {
  readonly files: number;
  readonly lines: number;
  readonly functions: number;
  readonly awaits: number;
  /** Awaits that wait for input or output. */
  readonly ioAwaits: number;
  readonly elapsedMs: number;
}

/** The result of {@link check}. */
export interface CheckReport {
  /** Of this form; a form that could break a reader gets a new number. */
  readonly version: 1;
  readonly findings: readonly Finding[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
  readonly stats: Stats;
}

/** A file that was rewritten. */
export interface FixedFile {
  readonly file: string;
  /** The ids of the findings that were applied. */
  readonly findings: readonly string[];
}

/** A file that could not be rewritten, and was left as it was. */
export interface FailedFile {
  readonly file: string;
  readonly reason: string;
}

/** The result of {@link fix}. */
export interface FixReport {
  /** Of this form; a form that could break a reader gets a new number. */
  readonly version: 1;
  readonly fixed: readonly FixedFile[];
  readonly failed: readonly FailedFile[];
  /** Whether the run was stopped before all files were written. */
  readonly interrupted: boolean;
  /** The changes as a patch when {@link FixOptions.diff} asked for it, else `null`. */
  readonly diff: string | null;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
  readonly stats: Stats;
}

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
  /** Globs as in a `.gitignore`, relative to `cwd`. */
  readonly exclude?: readonly string[] | undefined;
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
