import type {
  Answer,
  CallGraphFormat,
  DenyLevel,
  EffectsFormat,
  ErrorMode,
  FixLevel,
  Format,
  Level,
  LogMode,
} from "./levels.js";
import type { FileTarget, Target } from "./target.js";

/** The parts of a request that every command has which analyses a program. */
interface BaseRequest {
  readonly cwd: string;
  readonly includeTests: boolean;
  readonly errors: ErrorMode;
  readonly logs: LogMode;
  readonly exclude: readonly string[];
  /** The folder that the globs of `exclude` are relative to. */
  readonly excludeFrom: string;
  /** What functions of the program do, by `FILE#NAME`. */
  readonly assume: Readonly<Record<string, Answer>>;
  /** The folder that these files are relative to. */
  readonly assumeFrom: string;
  /** The folder that is one program with all below it, whatever projects there are in it. */
  readonly projectRoot: string | null;
  /** What runs have shown of awaits. */
  readonly evidence: readonly SeenPlace[];
  /** What is wrong with recordings of that. */
  readonly evidenceNotes: readonly EvidenceNote[];
  /** Names of dependencies to analyse from their source. */
  readonly deps: readonly string[];
  /** Absolute paths of files with models. */
  readonly models: readonly string[];
  readonly color: boolean;
  readonly width: number;
  /** Whether the process ends with the answer: what the addon knows is not given back before that. */
  readonly isLast?: boolean;
}

/** What runs have shown of one await. */
export interface SeenPlace {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How often what is awaited there was called. */
  readonly calls: number;
  /** How long that took in all, in milliseconds. */
  readonly ms: number;
  /** What it touched, with how often. */
  readonly operations: readonly { readonly what: string; readonly times: number }[];
  /** The awaits that have begun in its calls, by their places in the list of all; none where one of them has changed since. */
  readonly inner: readonly number[] | null;
}

/** Something that the user should know of a recording. */
export interface EvidenceNote {
  /** Absolute. */
  readonly path: string;
  readonly message: string;
}

/** What a trace says of one place; times in milliseconds. */
export interface ProfiledPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly runs: number;
  readonly waited: number;
  readonly gaps: number;
  readonly interrupted: number;
  readonly interruptedByOtherTree: number;
  readonly medianPair: number;
}

/** Asks for findings. */
export interface CheckRequest extends BaseRequest {
  readonly command: "check";
  readonly paths: readonly string[];
  readonly level: Level;
  readonly format: Format;
  readonly deny: DenyLevel;
  readonly rendered: boolean;
  /** The level of `fix` for which findings say whether it applies them. */
  readonly applied: FixLevel | null;
  /** What a trace of the running program says of its lines. */
  readonly profile: readonly ProfiledPlace[];
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

/** Asks which functions each call may call. */
export interface CallGraphRequest extends BaseRequest {
  readonly command: "callgraph";
  readonly paths: readonly string[];
  readonly format: CallGraphFormat;
}

/** Asks what a whole program shows of its async functions. */
export interface WholeRequest extends BaseRequest {
  readonly command: "whole";
  readonly paths: readonly string[];
}

/** Asks what the functions of a file, or the one at a line, read and write. */
export interface EffectsRequest extends BaseRequest {
  readonly command: "effects";
  readonly target: FileTarget;
  readonly format: EffectsFormat;
}

/** Asks what a person could say that would make more known. */
export interface AskRequest extends BaseRequest {
  readonly command: "ask";
  readonly paths: readonly string[];
  readonly format: EffectsFormat;
  /** How many questions are wanted at most. */
  readonly most: number;
}

/** Asks for the mistakes in files with models; needs no program. */
export interface ModelsRequest {
  readonly command: "models";
  readonly cwd: string;
  readonly files: readonly string[];
}

/** Asks what the rules are; needs no program. */
export interface RulesRequest {
  readonly command: "rules";
  readonly cwd: string;
  /** The one that is asked about; all where it is null. */
  readonly name: string | null;
  readonly json: boolean;
}

/** What the addon is asked. */
export type Request =
  | CheckRequest
  | FixRequest
  | ExplainRequest
  | CallGraphRequest
  | EffectsRequest
  | AskRequest
  | ModelsRequest
  | RulesRequest
  | WholeRequest;

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
