import {
  type CommandSpec,
  INCLUDE_TESTS,
  type OptionSpec,
  PATHS,
  EVIDENCE_OPTIONS,
  PROGRAM_OPTIONS,
} from "./command-spec.js";
import {
  CALL_GRAPH_FORMATS,
  DENY_LEVELS,
  EFFECTS_FORMATS,
  FIX_LEVELS,
  FORMATS,
  LEVELS,
  RULES_FORMATS,
} from "./levels.js";
import { OBSERVE } from "./observe-command.js";
import { OPTIMIZE } from "./optimize-command.js";
import { TRACE } from "./trace-command.js";
import { VERIFY } from "./verify-command.js";
import { WATERFALLS } from "./waterfalls-command.js";

export type { CommandSpec, OptionSpec } from "./command-spec.js";

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
      "point at lost time without offering a rewrite. A level includes the surer ones. The program " +
      "of a path is its project: the nearest package.json, workspace or .git above it; a folder of " +
      "many projects is many programs.",
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
      ...EVIDENCE_OPTIONS,
      profile: {
        value: "TRACE",
        help: "say how long is really waited, the longest first (see headstart trace)",
      },
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
      ...EVIDENCE_OPTIONS,
    },
    examples: [
      ["headstart fix", "apply all safe rewrites in the current folder"],
      ["headstart fix --diff | git apply", "look at a patch, or apply it with git"],
      ["headstart fix src --level likely --interactive", "decide one by one"],
    ],
  },
  verify: VERIFY,
  explain: {
    summary: "say why an await is or is not reported",
    details:
      "Says what is known about the await at a line, and what keeps it from starting earlier. At " +
      "the line that an async function begins on, it shows what optimize makes of the function. " +
      "Loads the project that the file belongs to.",
    positional: {
      usage: "FILE:LINE",
      help: "a place; a column may follow, as editors print it (FILE:LINE:COLUMN)",
      min: 1,
      max: 1,
    },
    options: EVIDENCE_OPTIONS,
    examples: [
      [
        "headstart explain src/app.ts:12",
        "the await, or the async function, in line 12 of src/app.ts",
      ],
    ],
  },
  callgraph: {
    summary: "say which functions each call may call",
    details:
      "Finds the functions of the program that each call may call. The pretty form is a " +
      "summary of the calls inside functions that wait: how many go to known code, and why the " +
      "others do not. The other forms list all calls of what is named.",
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
      ...EVIDENCE_OPTIONS,
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
  ask: {
    summary: "ask what functions do that nobody knows",
    details:
      "Asks about functions of the program that may do anything as far as the analysis can tell, those " +
      "first that most awaits stand beside. The answers go into the configuration, under " +
      '"assume"; findings that rest on one say so.',
    positional: PATHS,
    options: {
      most: { value: "COUNT", default: "5", help: "how many questions to print" },
      format: {
        value: "FORMAT",
        choices: EFFECTS_FORMATS,
        default: "pretty",
        help: "form of the output",
      },
      "include-tests": INCLUDE_TESTS,
      ...EVIDENCE_OPTIONS,
    },
    examples: [
      ["headstart ask", "the five questions that most waits for, in the current folder"],
      ["headstart ask src --most 20 --format json", "more of them, for other programs"],
    ],
  },
  optimize: OPTIMIZE,
  trace: TRACE,
  observe: OBSERVE,
  waterfalls: WATERFALLS,
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
  rules: {
    summary: "list what check looks for",
    details:
      "Lists the rules that findings are of: what each finds, what to do about it, the levels that " +
      "its findings may have, and its page in the documentation.",
    positional: {
      usage: "[NAME]",
      help: "the rule to describe (default: all of them)",
      min: 0,
      max: 1,
    },
    options: {
      format: {
        value: "FORMAT",
        choices: RULES_FORMATS,
        default: "pretty",
        help: "form of the output",
      },
    },
    examples: [
      ["headstart rules", "all rules"],
      ["headstart rules independent-awaits", "one of them"],
    ],
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
