import {
  CALL_GRAPH_FORMATS,
  DENY_LEVELS,
  EFFECTS_FORMATS,
  FIX_LEVELS,
  FORMATS,
  LEVELS,
  RUNNER_CHOICES,
} from "./levels.js";

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

const INCLUDE_TESTS = { help: "look at test files too" } as const;
const PATHS = {
  usage: "[PATHS]",
  help: "files and folders (default: the current folder)",
  min: 0,
  max: Infinity,
} as const;

/** Options of every command that analyses a program. */
const PROGRAM_OPTIONS = {
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

/** Options every command has. */
export const COMMON_OPTIONS = {
  help: { short: "h", help: "print this help" },
  version: { short: "v", help: "print the version" },
} as const satisfies Record<string, OptionSpec>;

/** The table all arguments are parsed, documented and validated from. */
export const COMMANDS = {
  check: {
    summary: "report awaits that wait needlessly",
    details:
      "Reports every await that could have started earlier. Levels: safe findings keep the " +
      "behaviour when rewritten, likely ones do if the assumptions they list hold, and hints " +
      "point at lost time without offering a rewrite. A level includes the surer ones.",
    positional: PATHS,
    options: {
      level: {
        value: "LEVEL",
        choices: LEVELS,
        default: "likely",
        help: "weakest level to report",
      },
      format: { value: "FORMAT", choices: FORMATS, default: "pretty", help: "form of the output" },
      "include-tests": INCLUDE_TESTS,
      ...PROGRAM_OPTIONS,
      deny: {
        value: "LEVEL",
        choices: DENY_LEVELS,
        default: "safe",
        help: "weakest level that makes the exit code 1",
      },
    },
    examples: [
      ["headstart check", "check the current folder"],
      ["headstart check src --level hint", "everything worth a look in src"],
      ["headstart check --format github", "annotate a pull request in GitHub Actions"],
      ["headstart check --format sarif --deny none > headstart.sarif", "for code scanning"],
    ],
  },
  fix: {
    summary: "rewrite them in place",
    details:
      "Rewrites what check finds: safe findings only, unless --level likely is given, whatever " +
      "level the configuration sets for check.",
    positional: PATHS,
    options: {
      level: {
        value: "LEVEL",
        choices: FIX_LEVELS,
        default: "safe",
        help: "weakest level to rewrite",
      },
      diff: { help: "print the changes as a patch and write nothing" },
      interactive: { help: "show each finding and ask before rewriting it" },
      "include-tests": INCLUDE_TESTS,
      ...PROGRAM_OPTIONS,
    },
    examples: [
      ["headstart fix", "apply all safe rewrites in the current folder"],
      ["headstart fix --diff | git apply", "look at a patch, or apply it with git"],
      ["headstart fix src --level likely --interactive", "decide one by one"],
    ],
  },
  verify: {
    summary: "check a rewrite with the tests: still right? how much faster?",
    details:
      "Makes two copies of a project, one of them rewritten as fix would, and never touches the " +
      "project itself. Runs all tests in both; then those that execute a rewritten place, again " +
      "and again, in turns. Writes a report, and ends with 0 when the tests say the same, with 1 " +
      "when one broke.",
    positional: {
      usage: "[PATH]",
      help:
        "the folder of the project (default: the current folder); with --import, two CSV files, " +
        "the original first, or a folder of folders with original.csv and reordered.csv",
      min: 0,
      max: 2,
    },
    rest: {
      usage: "-- COMMAND",
      help: "time this command as a whole, instead of the tests of a runner",
    },
    options: {
      level: {
        value: "LEVEL",
        choices: FIX_LEVELS,
        default: "safe",
        help: "weakest level to rewrite",
      },
      runner: {
        value: "RUNNER",
        choices: RUNNER_CHOICES,
        default: "auto",
        help: "what runs the tests",
      },
      runs: { value: "N", default: "50", help: "how often each test is timed in each copy" },
      warmup: { value: "N", default: "5", help: "runs of each copy before the timed ones" },
      latency: {
        value: "MS,MS",
        help: "time again with each rewritten operation delayed by so many ms, as in 0,50,200",
      },
      only: { value: "GLOB", help: "only tests in files that match" },
      bisect: { help: "when a test broke, find the rewrite to blame" },
      timeout: {
        value: "SECONDS",
        default: "120",
        help: "give up a run that shows no sign of life for so long",
      },
      import: { help: "judge timings that were taken elsewhere; runs nothing" },
      out: { value: "DIR", help: "where report and journal go (default: a new temporary folder)" },
      resume: { help: "go on with the measurements in --out" },
      "include-tests": INCLUDE_TESTS,
      ...PROGRAM_OPTIONS,
    },
    examples: [
      ["headstart verify", "verify the safe rewrites of the project in the current folder"],
      ["headstart verify packages/api --latency 0,50,100,200", "as if what it calls were far away"],
      ["headstart verify --level likely --bisect", "find the rewrite that breaks a test"],
      ["headstart verify --runs 10 -- npm test", "time a whole command"],
      ["headstart verify --import original.csv reordered.csv", "judge published timings"],
    ],
  },
  explain: {
    summary: "say why an await is or is not reported",
    details:
      "Says what is known about the await at a line, and what keeps it from starting earlier.",
    positional: {
      usage: "FILE:LINE",
      help: "a place; a column may follow, as editors print it (FILE:LINE:COLUMN)",
      min: 1,
      max: 1,
    },
    options: PROGRAM_OPTIONS,
    examples: [["headstart explain src/app.ts:12", "the await in line 12 of src/app.ts"]],
  },
  callgraph: {
    summary: "say which functions each call may call",
    details:
      "Finds the functions of the program that each call may call. The pretty form is a " +
      "summary: how many calls are resolved, how many a model describes, and how many are " +
      "unresolved, by cause. The other forms list them all.",
    positional: PATHS,
    options: {
      format: {
        value: "FORMAT",
        choices: CALL_GRAPH_FORMATS,
        default: "pretty",
        help: "form of the output",
      },
      "include-tests": INCLUDE_TESTS,
      ...PROGRAM_OPTIONS,
    },
    examples: [
      ["headstart callgraph", "how many calls are resolved in the current folder"],
      ["headstart callgraph src --format json", "every call in src, for other programs"],
      ["headstart callgraph --format dot | dot -Tsvg > calls.svg", "a picture, with Graphviz"],
    ],
  },
  effects: {
    summary: "say what functions read and write",
    details:
      "Says what a function may read and write, whether it may throw or reject, what it awaits, " +
      "and what is not known about it. Without a line, it does so for all functions of the file.",
    positional: {
      usage: "FILE[:LINE]",
      help: "a file, or a place in it; a column may follow (FILE:LINE:COLUMN)",
      min: 1,
      max: 1,
    },
    options: {
      format: {
        value: "FORMAT",
        choices: EFFECTS_FORMATS,
        default: "pretty",
        help: "form of the output",
      },
      ...PROGRAM_OPTIONS,
    },
    examples: [
      ["headstart effects src/app.ts", "what the functions of src/app.ts read and write"],
      ["headstart effects src/app.ts:12", "the function at line 12 of src/app.ts"],
      [
        "headstart effects src/app.ts --format json",
        "all that is known of them, for other programs",
      ],
    ],
  },
  models: {
    summary: "check model files of your own",
    details:
      "Checks files that describe what the members of modules do. To use such a file, give it to " +
      'the other commands with --models, or name it in the configuration under "models".',
    positional: {
      usage: "check FILE...",
      help: "the YAML files to check",
      min: 2,
      max: Infinity,
    },
    options: {},
    examples: [["headstart models check models/db.yml", "look for mistakes in models/db.yml"]],
  },
} as const satisfies Record<string, CommandSpec>;

/** The name of a command. */
export type CommandName = keyof typeof COMMANDS;

/** The names of the commands, in the order of the help. */
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

type ValueOf<S> = S extends { choices: readonly (infer C)[] }
  ? C
  : S extends { repeatable: true }
    ? readonly string[]
    : S extends { value: string }
      ? string
      : true;
type ValuesOf<O> = { readonly [K in keyof O]?: ValueOf<O[K]> };

/** The options given to a command; what was not given is absent, so that config can fill it. */
export type Values<C extends CommandName> = ValuesOf<(typeof COMMANDS)[C]["options"]>;
