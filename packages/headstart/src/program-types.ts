import type { Range, Skipped, Stats, Warning } from "./types.js";

/**
 * The result of {@link callgraph}. A place is `file:startLine:startColumn:endLine:endColumn`,
 * where `file` is an index into `files`; lines and columns are counted from one.
 */
export interface CallGraphReport {
  /** Of this form; a form that could break a reader gets a new number. */
  readonly version: 1;
  readonly files: readonly string[];
  /** The places of the functions, by number. The top level of a module is a function too. */
  readonly functions: Readonly<Record<string, string>>;
  /** The places of the calls, by number. */
  readonly calls: Readonly<Record<string, string>>;
  /** Which function may call which. */
  readonly fun2fun: readonly (readonly [caller: number, callee: number])[];
  /** Which call may call which function. */
  readonly call2fun: readonly (readonly [call: number, callee: number])[];
  /** The calls of functions outside of the program that a model describes. */
  readonly modelled: readonly (readonly [call: number, name: string])[];
  /** The calls that may call something unknown, and why. */
  readonly unresolved: readonly (readonly [call: number, reason: string])[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
  readonly stats: Stats;
}

/** What is read and written. */
export interface Effects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** An await in a function. */
export interface AwaitEffects {
  /** Its code. */
  readonly text: string;
  /** Whether it is known what it waits for. */
  readonly understood: boolean;
  /** Whether what it waits for certainly ends without the help of the program. */
  readonly settles: boolean;
}

/** A part of a function that may do anything. */
export interface UnknownEffect {
  readonly reason: string;
  readonly range: Range;
}

/** What is known about a function. */
export interface FunctionEffects {
  readonly name: string;
  readonly file: string;
  readonly range: Range;
  readonly isAsync: boolean;
  /** What it does before it first waits. */
  readonly before: Effects;
  /** What it does after that; `null` if it never waits. */
  readonly after: Effects | null;
  readonly awaits: readonly AwaitEffects[];
  /** Whether a call of it may throw. */
  readonly throws: "never" | "may";
  /** Whether the promise that it returns may be rejected. */
  readonly rejects: "never" | "may";
  /** Whether the promise that it returns certainly settles without the help of the program. */
  readonly settles: boolean;
  readonly unknown: readonly UnknownEffect[];
}

/** The result of {@link effects}. */
export interface EffectsReport {
  /** Of this form; a form that could break a reader gets a new number. */
  readonly version: 1;
  readonly functions: readonly FunctionEffects[];
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly Warning[];
}
