/** Levels of confidence, the surest first. */
export const LEVELS = ["safe", "likely", "hint"] as const;

/** The levels that have a rewrite `fix` may apply. */
export const FIX_LEVELS = ["safe", "likely"] as const;

/** What can make `check` exit with 1. */
export const DENY_LEVELS = ["safe", "likely", "hint", "none"] as const;

/** The forms `check` can print its findings in. */
export const FORMATS = ["pretty", "json", "sarif", "github"] as const;

/** The forms `callgraph` can print its answer in. */
export const CALL_GRAPH_FORMATS = ["pretty", "json", "dot"] as const;

/** The forms `effects` and `ask` can print their answers in. */
export const EFFECTS_FORMATS = ["pretty", "json"] as const;

/** The forms `rules` can print its list in. */
export const RULES_FORMATS = ["pretty", "json"] as const;

/** What can run the tests for `verify`; `auto` is what the scripts of the project call. */
export const RUNNER_CHOICES = ["auto", "vitest", "jest", "mocha", "node"] as const;

/** How exactly a rewrite has to preserve which error is thrown. */
export const ERROR_MODES = ["one", "exact"] as const;

/** Whether a rewrite may change the order of log lines. */
export const LOG_MODES = ["in-order", "any-order"] as const;

/** What a function may be said to do, under `assume` in the configuration. */
export const ANSWERS = ["computes", "reads", "logs", "anything"] as const;

/**
 * How sure a finding is.
 *
 * - `safe`: the rewrite keeps the behaviour.
 * - `likely`: it does if the assumptions listed in the finding hold.
 * - `hint`: time is lost here, but no rewrite is offered.
 */
export type Level = (typeof LEVELS)[number];

/** A level whose findings can be rewritten. */
export type FixLevel = (typeof FIX_LEVELS)[number];

/** The weakest level that fails a check, or `none`. */
export type DenyLevel = (typeof DENY_LEVELS)[number];

/** A form of output of `check`. */
export type Format = (typeof FORMATS)[number];

/** A form of output of `callgraph`. */
export type CallGraphFormat = (typeof CALL_GRAPH_FORMATS)[number];

/** A form of output of `effects` and `ask`. */
export type EffectsFormat = (typeof EFFECTS_FORMATS)[number];

/**
 * Which error a rewrite must keep when several of the awaited operations fail: any `one` of
 * theirs, or `exact`ly the one that the original code would have thrown.
 */
export type ErrorMode = (typeof ERROR_MODES)[number];

/** Whether lines of a log have to come `in-order`, or may come in `any-order`. */
export type LogMode = (typeof LOG_MODES)[number];

/**
 * What a function does, as a person says: nothing but its result (`computes`), that and asking something outside
 * (`reads`), lines of a log that the program never reads (`logs`), or more than that (`anything`).
 */
export type Answer = (typeof ANSWERS)[number];

/** Whether `optimize` may let microtasks come in another order. */
export const TICKS = ["relaxed", "exact"] as const;

/** Which functions `optimize` may convert. */
export const FUNCTIONS = ["all", "directives"] as const;

/** Whose place in the source `trace record` looks up. */
export const SITE_MODES = ["sampled", "all", "none"] as const;

/** What `trace report` prints, and then what `trace export` writes. */
export const TRACE_FORMATS = ["pretty", "json", "perfetto", "chrome"] as const;
