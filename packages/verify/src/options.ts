import type { Edit } from "./edits.js";

/** The runners whose own hooks are used. */
export const RUNNERS = ["vitest", "jest", "mocha", "node"] as const;

/** One of {@link RUNNERS}. */
export type RunnerName = (typeof RUNNERS)[number];

/** A stretch of a text, in UTF-16 units; `end` is the first place after it. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A place that is to be rewritten. */
export interface PlannedSite {
  /** Relative to the project, with `/`. */
  readonly file: string;
  /** Counted from one, in the original. */
  readonly line: number;
  /** One sentence: what waits needlessly. */
  readonly title: string;
  readonly level: "safe" | "likely";
  /** The statements whose awaits are concerned, in the original. */
  readonly statements: readonly Stretch[];
  /** What the rewrite does, in the original; no two of all sites overlap. */
  readonly edits: readonly Edit[];
}

/** What to verify, and how. */
export interface VerifyOptions {
  /** What asks: `headstart 0.1.0`. */
  readonly tool: string;
  /** Absolute. */
  readonly project: string;
  readonly sites: readonly PlannedSite[];
  readonly level: "safe" | "likely";
  readonly runner: RunnerName | "auto";
  /** A command line to be timed as a whole, instead of a runner's tests. */
  readonly command: readonly string[] | null;
  /** Counted runs of each copy. */
  readonly runs: number;
  /** Runs of each copy before the counted ones. */
  readonly warmup: number;
  /** Delays of each rewritten operation, in ms; 0 is measured in any case. */
  readonly latency: readonly number[];
  /** The seeds of the schedules under which the tests run, too. */
  readonly seeds: readonly number[];
  /** Whether schedules make operations fail, too. */
  readonly fail: boolean;
  /** A glob: only tests in files that match, relative to the project. */
  readonly only: string | null;
  /** Where the journal and the report go. Absolute. */
  readonly out: string;
  /** Whether to go on from the journal in {@link out}. */
  readonly resume: boolean;
  /** Whether to look for the one rewrite to blame when a test broke. */
  readonly bisect: boolean;
  /** After how long without a sign of life a run counts as hanging, in ms. */
  readonly timeoutMs: number;
  /** Ends everything. */
  readonly signal: AbortSignal;
}
