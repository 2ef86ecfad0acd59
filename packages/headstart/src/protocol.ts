import type { DenyLevel, ErrorMode, FixLevel, Format, Level } from "./levels.js";
import type { Target } from "./target.js";

/** The parts of a request that every command has. */
interface BaseRequest {
  readonly cwd: string;
  readonly includeTests: boolean;
  readonly errors: ErrorMode;
  readonly exclude: readonly string[];
  readonly color: boolean;
  readonly width: number;
}

/** Asks for findings. */
export interface CheckRequest extends BaseRequest {
  readonly command: "check";
  readonly paths: readonly string[];
  readonly level: Level;
  readonly format: Format;
  readonly deny: DenyLevel;
  readonly rendered: boolean;
}

/** Asks for rewrites. */
export interface FixRequest extends BaseRequest {
  readonly command: "fix";
  readonly paths: readonly string[];
  readonly level: FixLevel;
  readonly diff: boolean;
  readonly only: readonly string[] | null;
}

/** Asks about one await. */
export interface ExplainRequest extends BaseRequest {
  readonly command: "explain";
  readonly target: Target;
}

/** What the addon is asked. */
export type Request = CheckRequest | FixRequest | ExplainRequest;

/** What the addon answers. */
export interface Response<Report> {
  readonly exitCode: number;
  /** To be printed as it is. */
  readonly stdout: string;
  /** To be printed as it is. */
  readonly stderr: string;
  /** Absent where the request could not be carried out at all. */
  readonly report: Report | null;
}

/** What the addon says while it runs. */
export interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}
