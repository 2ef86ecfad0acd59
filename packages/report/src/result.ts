/**
 * What a verification found, as it is written to `result.json` and drawn by the report. Everything
 * can be written as JSON; times are milliseconds, changes percent, positive where the rewritten
 * program is faster. Design note: `../shared/design/verify.md`.
 */
export interface VerifyResult {
  readonly version: 1;
  /** What measured, with its version: `headstart 0.1.0`. */
  readonly tool: string;
  /** When the measurement ended, as in ISO 8601. */
  readonly createdAt: string;
  /** Name of the project. */
  readonly project: string;
  /** Where it was measured; `null` where the timings were imported and do not say. */
  readonly machine: Machine | null;
  /** What ran the tests, with its version if known: `vitest 3.2.4`, or the command line. */
  readonly runner: string;
  /** Which findings were rewritten; `null` for imported timings. */
  readonly level: "safe" | "likely" | null;
  /** Counted runs of each program. */
  readonly runs: number;
  /** Runs of each program before the counted ones. */
  readonly warmup: number;
  /** Whether it was stopped before all runs were done. */
  readonly interrupted: boolean;
  /** `imported`: timings only, nothing is known of what the tests said. */
  readonly outcome: "verified" | "broken" | "not-run" | "imported";
  /** Whether the tests say the same; `null` for imported timings. */
  readonly agreement: Agreement | null;
  readonly sites: readonly Site[];
  /** The affected tests that were timed, in the runner's order. */
  readonly tests: readonly TestResult[];
  /** One row for each delay; empty where only the program as it is was measured. */
  readonly latency: readonly LatencyRow[];
  readonly flaky: readonly FlakyTest[];
  readonly broken: readonly BrokenTest[];
  /** Files of which not all tests ran, before the rewrite: nothing is known of those that did not. */
  readonly incomplete: readonly IncompleteFile[];
  readonly summary: Summary;
  /** What came of running the tests under other schedules; absent where nobody asked for that. */
  readonly schedules?: Schedules;
  /** What a reader has to know, one sentence each. */
  readonly notes: readonly string[];
}

/** Where it was measured. */
export interface Machine {
  readonly cores: number;
  /** The processor's own name. */
  readonly cpu: string;
  /** Version of Node. */
  readonly node: string;
  /** As `linux-x64`. */
  readonly platform: string;
}

/** How many tests say the same before and after. */
export interface Agreement {
  /** Tests that the runner ran in the original; flaky ones are not among them. */
  readonly tests: number;
  /** Those of them that say the same in the rewritten program. */
  readonly agreeing: number;
  /** Those of them that execute a rewritten site. */
  readonly affected: number;
}

/** One rewritten place. */
export interface Site {
  /** Counted from one. */
  readonly id: number;
  /** Relative to the project. */
  readonly file: string;
  /** Counted from one, in the original. */
  readonly line: number;
  /** One sentence: what waited needlessly. */
  readonly title: string;
  readonly level: "safe" | "likely";
  /** Unified diff. */
  readonly diff: string;
  /** What overlaps now, in the order of the original. */
  readonly operations: readonly Operation[];
  /** When each operation was under way, measured in one run of a test; absent where none ran. */
  readonly timeline?: Timeline;
}

/** An operation that is waited for. */
export interface Operation {
  /** Short source text, as `readFile(next)`. */
  readonly label: string;
  /**
   * Whether the rewrite words it in another way, so that it is not found again in what was rewritten:
   * then it is delayed in neither program, and no timeline has it.
   */
  readonly lost?: true;
}

/** The same operations in both programs, from the start of the first. */
export interface Timeline {
  /** The name of the test in which they were measured. */
  readonly test: string;
  readonly original: readonly Span[];
  readonly rewritten: readonly Span[];
}

/** How long an operation was under way. */
export interface Span {
  readonly label: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A test before it is judged. */
export interface MeasuredTest {
  /** Names the test among all of the project. */
  readonly id: string;
  /** Relative to the project; empty where it is not known. */
  readonly file: string;
  /** The names of its groups and its own, with ` > ` between. */
  readonly name: string;
  /** The sites that it executes. */
  readonly sites: readonly number[];
  /** One time for each run, in the order of the runs. */
  readonly original: readonly number[];
  /** One time for each run, in the order of the runs. */
  readonly rewritten: readonly number[];
}

/** A test and what its times say. */
export interface TestResult extends MeasuredTest {
  readonly statistics: TestStatistics;
}

/** What the times of one test say; 1 is the original, 2 the rewritten program. */
export interface TestStatistics {
  readonly n1: number;
  readonly n2: number;
  readonly mean1: number;
  readonly mean2: number;
  readonly median1: number;
  readonly median2: number;
  /** Standard deviation of a sample; 0 for a single run. */
  readonly deviation1: number;
  readonly deviation2: number;
  /** `mean2 / mean1`; `null` where a mean is 0. */
  readonly ratio: number | null;
  /** Lower end of the 95% interval of the ratio; `null` where there is none. */
  readonly low: number | null;
  /** Upper end of the 95% interval of the ratio. */
  readonly high: number | null;
  /** Welch's t-test, two-sided; `null` where all times are the same or there are too few. */
  readonly welchP: number | null;
  /** {@link welchP} after Benjamini-Hochberg over all tests. */
  readonly adjustedP: number | null;
  /** As in the paper, section 5.4: {@link welchP} < 0.1, in either direction. */
  readonly significant: boolean;
  /** {@link adjustedP} < 0.05, in either direction. */
  readonly significantAdjusted: boolean;
  /** The steps of the clock that took the times hide the difference, if there is one. */
  readonly belowTimer: boolean;
}

/** What all tests together say. */
export interface Summary {
  /** Tests that were timed. */
  readonly tests: number;
  /** Tests with a ratio: those whose times are not all 0. */
  readonly compared: number;
  /** Tests that are faster, with p < 0.1 as in the paper's Table 4. */
  readonly significant: number;
  /** Tests that are faster after correction for their number (p < 0.05). */
  readonly significantAdjusted: number;
  /** Tests that are slower after correction for their number (p < 0.05). */
  readonly slowerAdjusted: number;
  /** Tests that {@link TestStatistics.belowTimer} marks. */
  readonly belowTimer: number;
  /** 1 - harmonic mean of the ratios: the paper's figure, which flatters. */
  readonly harmonicChange: number;
  /** 1 - geometric mean of the ratios: the figure that the report leads with. */
  readonly geometricChange: number;
  /** 1 - plain mean of the ratios. */
  readonly meanChange: number;
  /** 1 - time of all tests after / before. */
  readonly totalChange: number;
  /** The largest change of a single test. */
  readonly maxChange: number;
  /** 95% interval of {@link geometricChange}; absent where there are too few runs. */
  readonly interval?: readonly [low: number, high: number];
}

/** What all tests say when each rewritten operation takes longer. */
export interface LatencyRow {
  /** By how much each operation was delayed, in both programs. */
  readonly delayMs: number;
  readonly summary: Summary;
}

/** Runs of the affected tests in which what they wait for takes longer, by chance that a seed makes. */
export interface Schedules {
  /** Schedules that both programs were run under. */
  readonly run: number;
  /** Whether an operation was made to fail in every second of them. */
  readonly failing: boolean;
  /** Tests that pass under all of them before the rewrite. */
  readonly tests: number;
  /** Tests that do not, and are left out. */
  readonly unsteady: number;
}

/** A test that disagrees with itself before anything is rewritten; it is left out. */
export interface FlakyTest {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  /** Of the runs of the original. */
  readonly passed: number;
  readonly failed: number;
}

/** A file of which not all tests ran. */
export interface IncompleteFile {
  /** Relative to the project. */
  readonly file: string;
  /** One line: what ended it. */
  readonly reason: string;
}

/** A test that the rewrite broke. */
export interface BrokenTest {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly how: "failed" | "hung" | "unhandled-rejection" | "crashed" | "missing";
  /** What the runner said, shortened. */
  readonly message: string;
  /** The sites that it executes. */
  readonly sites: readonly number[];
  /** The one site to blame, where bisecting found it. */
  readonly blamed?: number;
  /** The seed of the schedule under which it broke, where it breaks under schedules only. */
  readonly seed?: number;
}
