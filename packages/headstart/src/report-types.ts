// Made from the reports of crates/driver by its test `report_types`: change those, and run it with
// UPDATE=1.
/* eslint-disable max-lines -- it is made, and read by nobody */
import type { Level } from "./levels.js";

/**
 * A place in a file.
 */
export interface Position {
  /**
   * Counted from one.
   */
  readonly line: number;
  /**
   * Counted from one, in UTF-16 units as in editors.
   */
  readonly column: number;
}

/**
 * A stretch of a file; `end` is the first place after it.
 */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/**
 * A reason why an await cannot be moved.
 */
export interface Blocker {
  /**
   * What `reason` says, by a name that stays the same: `docs/reasons.md` lists all of them.
   */
  readonly code: string;
  /**
   * One sentence.
   */
  readonly reason: string;
  /**
   * Where in the file of the finding the reason lies.
   */
  readonly range: Range;
}

/**
 * One edit of a rewrite.
 */
export interface Replacement {
  /**
   * What is replaced.
   */
  readonly range: Range;
  /**
   * What takes its place.
   */
  readonly text: string;
}

/**
 * How long the waits of a finding were when they were observed.
 */
export interface Seen {
  /**
   * How often the one that ran most often did.
   */
  readonly runs: number;
  /**
   * Milliseconds that they took, over all runs.
   */
  readonly waitedMs: number;
  /**
   * How much less that would be if they overlapped, each of them as long as on average; 0 where it is one wait in
   * a loop.
   */
  readonly needlessMs: number;
}

/**
 * How long is waited at a finding, as a trace of the running program says.
 */
export interface Observed {
  /**
   * How often what the statement registers has run.
   */
  readonly runs: number;
  /**
   * Milliseconds between the end of what registered it and its begin, over all runs.
   */
  readonly waitedMs: number;
  /**
   * The runs before which something was waited for.
   */
  readonly gaps: number;
  /**
   * Those of them that something else came in between.
   */
  readonly interrupted: number;
  /**
   * Those where it was something that has nothing to do with what waits.
   */
  readonly interruptedByOtherTree: number;
  /**
   * Milliseconds from the begin of what registers to the end of what runs, half of the time at most; of several
   * waits the longest.
   */
  readonly medianMs: number;
}

/**
 * An await that waits needlessly.
 */
export interface Finding {
  /**
   * Names the finding for `only` of `fix`, as long as the file does not change.
   */
  readonly id: string;
  /**
   * The rule that found it.
   */
  readonly rule: string;
  readonly level: Level;
  /**
   * Relative to `cwd`; absolute where it lies outside of it.
   */
  readonly file: string;
  /**
   * The statement that waits needlessly.
   */
  readonly range: Range;
  /**
   * One sentence.
   */
  readonly message: string;
  /**
   * The statements whose operations would run at the same time as this one.
   */
  readonly overlaps: readonly Range[];
  /**
   * The awaits this one would no longer wait for.
   */
  readonly crosses: readonly Range[];
  /**
   * What has to hold for the rewrite to keep the behaviour.
   */
  readonly assumptions: readonly string[];
  /**
   * The code of each of `assumptions`, in their order: `docs/reasons.md` lists all of them.
   */
  readonly assumptionCodes: readonly string[];
  /**
   * What stands in the way of a rewrite.
   */
  readonly blockers: readonly Blocker[];
  /**
   * The edits of the rewrite, or `null` when there is none to offer. What several findings insert at one
   * place with the same text, as a function at the end of the file, is to be put there once.
   */
  readonly replacement: readonly Replacement[] | null;
  /**
   * Whether `fix` applies it, at the level that `applied` of the options names; findings may
   * contradict one another. Only with that option.
   */
  readonly applied?: boolean;
  /**
   * What the trace of `profile` of the options says of the statements; only where it says anything.
   */
  readonly observed?: Observed;
  /**
   * How long its waits were in what `headstart observe` has recorded; only where it has seen them.
   */
  readonly seen?: Seen;
  /**
   * Milliseconds that the rewrite saves each time, by typical costs: an estimate, to order by.
   */
  readonly estimatedGainMs: number;
  /**
   * The finding as the command prints it; only with `rendered` of the options.
   */
  readonly rendered?: string;
}

/**
 * A part of a file, or a file, that was not looked at.
 */
export interface Skipped {
  readonly file: string;
  readonly reason: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * A file that was looked at with less knowledge than usual.
 */
export interface Warning {
  readonly file: string;
  readonly reason: string;
}

/**
 * What a run looked at.
 */
export interface Stats {
  readonly files: number;
  readonly lines: number;
  readonly functions: number;
  readonly awaits: number;
  /**
   * Awaits that wait for input or output.
   */
  readonly ioAwaits: number;
  readonly elapsedMs: number;
}

/**
 * The result of `check`.
 */
export interface CheckReport {
  /**
   * Of this form; a form that could break a reader gets a new number.
   */
  readonly version: 1;
  readonly findings: readonly Finding[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
  readonly stats: Stats;
}

/**
 * A file that was rewritten.
 */
export interface FixedFile {
  readonly file: string;
  /**
   * The ids of the findings that were applied.
   */
  readonly findings: readonly string[];
}

/**
 * A file that could not be rewritten, and was left as it was.
 */
export interface FailedFile {
  readonly file: string;
  readonly reason: string;
}

/**
 * The result of `fix`.
 */
export interface FixReport {
  /**
   * Of this form; a form that could break a reader gets a new number.
   */
  readonly version: 1;
  readonly fixed: readonly FixedFile[];
  readonly failed: readonly FailedFile[];
  /**
   * Whether the run was stopped before all files were written.
   */
  readonly interrupted: boolean;
  /**
   * The changes as a patch where the options asked for it, else `null`.
   */
  readonly diff: string | null;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
  readonly stats: Stats;
}

/**
 * The result of `callgraph`, in the form that other analysers of JavaScript use, too. A place is
 * `file:startLine:startColumn:endLine:endColumn`, where `file` is an index into `files`; lines and
 * columns are counted from one.
 */
export interface CallGraphReport {
  /**
   * Of this form; a form that could break a reader gets a new number.
   */
  readonly version: 1;
  readonly files: readonly string[];
  /**
   * The places of the functions, by number. The top level of a module is a function too.
   */
  readonly functions: Readonly<Record<string, string>>;
  /**
   * The places of the calls, by number.
   */
  readonly calls: Readonly<Record<string, string>>;
  /**
   * Which function may call which.
   */
  readonly fun2fun: readonly (readonly [caller: number, callee: number])[];
  /**
   * Which call may call which function.
   */
  readonly call2fun: readonly (readonly [call: number, callee: number])[];
  /**
   * The calls of functions outside of the program that a model describes.
   */
  readonly modelled: readonly (readonly [call: number, name: string])[];
  /**
   * The calls that may call something unknown, and why.
   */
  readonly unresolved: readonly (readonly [call: number, reason: string])[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
  readonly stats: Stats;
}

/**
 * What is read and written.
 */
export interface Effects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * An await in a function.
 */
export interface AwaitEffects {
  /**
   * Its code.
   */
  readonly text: string;
  /**
   * Whether it is known what it waits for.
   */
  readonly understood: boolean;
  /**
   * Whether what it waits for certainly ends without the help of the program.
   */
  readonly settles: boolean;
}

/**
 * A part of a function that may do anything.
 */
export interface UnknownEffect {
  readonly reason: string;
  readonly range: Range;
}

/**
 * What is known about a function.
 */
export interface FunctionEffects {
  readonly name: string;
  readonly file: string;
  readonly range: Range;
  readonly isAsync: boolean;
  /**
   * What it does before it first waits.
   */
  readonly before: Effects;
  /**
   * What it does after that; `null` if it never waits.
   */
  readonly after: Effects | null;
  readonly awaits: readonly AwaitEffects[];
  /**
   * Whether a call of it may throw.
   */
  readonly throws: "never" | "may";
  /**
   * Whether the promise that it returns may be rejected.
   */
  readonly rejects: "never" | "may";
  /**
   * Whether the promise that it returns certainly settles without the help of the program.
   */
  readonly settles: boolean;
  readonly unknown: readonly UnknownEffect[];
}

/**
 * The result of `effects`.
 */
export interface EffectsReport {
  /**
   * Of this form; a form that could break a reader gets a new number.
   */
  readonly version: 1;
  readonly functions: readonly FunctionEffects[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
}

/**
 * A question about a function of the program: what does it do?
 */
export interface Question {
  /**
   * The name of the answer under `assume` in the configuration: `FILE#NAME`.
   */
  readonly key: string;
  readonly name: string;
  readonly file: string;
  readonly range: Range;
  /**
   * How many awaits stand beside calls of it, in how many functions.
   */
  readonly awaits: number;
  readonly functions: number;
  /**
   * What it calls, or does, of which nobody knows what that does, and where.
   */
  readonly cause: string;
  readonly causeFile: string;
  readonly causeRange: Range;
  /**
   * The answers that there are.
   */
  readonly answers: readonly string[];
}

/**
 * The result of `ask`.
 */
export interface AskReport {
  /**
   * Of this form; a form that could break a reader gets a new number.
   */
  readonly version: 1;
  /**
   * The questions whose answers most waits for, first; as many as were asked for.
   */
  readonly questions: readonly Question[];
  /**
   * How many there are in all.
   */
  readonly all: number;
  /**
   * How many functions of several awaits are kept from overlapping by something that no question is about.
   */
  readonly beyond: number;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
}
