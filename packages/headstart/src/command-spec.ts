/** The form that all commands are described in, and what several of them share. */
/** One `--option`: everything that parsing, help and validation need to know of it. */
export interface OptionSpec {
  readonly help: string;
  /** The name of the value in the help; an option without it is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly short?: string;
  /** Whether all values given count, not only the last. */
  readonly repeatable?: true;
}

/** One command with its arguments. */
export interface CommandSpec {
  readonly summary: string;
  readonly details: string;
  readonly positional: {
    readonly usage: string;
    readonly help: string;
    readonly min: number;
    readonly max: number;
  };
  /** What may follow `--`. */
  readonly rest?: { readonly usage: string; readonly help: string };
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
}

/** The switch for tests. */
export const INCLUDE_TESTS = { help: "look at test files too" } as const;
/** Any files and folders. */
export const PATHS = {
  usage: "[PATHS]",
  help: "files and folders, each looked at in its own project (default: the current folder)",
  min: 0,
  max: Infinity,
} as const;

/** Options of every command that analyses a program. */
export const PROGRAM_OPTIONS = {
  config: {
    value: "FILE",
    help: "use this file, not the nearest headstart.config.json",
  },
  deps: {
    value: "NAME",
    repeatable: true,
    help: "analyse this dependency from its source",
  },
  models: {
    value: "FILE",
    repeatable: true,
    help: "use the models of modules in this file",
  },
} as const;

/** Options of the commands that ask what awaits do. */
export const EVIDENCE_OPTIONS = {
  ...PROGRAM_OPTIONS,
  evidence: {
    value: "FILE",
    help: "use what headstart observe has recorded there, not the nearest .headstart/evidence.json (none: use nothing)",
  },
} as const;
