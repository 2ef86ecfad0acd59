import { parseArgs } from "node:util";

import { HeadstartError } from "./errors.js";
import { DENY_LEVELS, FIX_LEVELS, FORMATS, LEVELS } from "./levels.js";
import { closest, didYouMean } from "./suggest.js";
import { parseTarget, type Target } from "./target.js";

/** One `--option`: everything that parsing, help and validation need to know of it. */
export interface OptionSpec {
  readonly help: string;
  /** The name of the value in the help; an option without it is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly short?: string;
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
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
}

const INCLUDE_TESTS = { help: "look at test files too" } as const;
const CONFIG = {
  value: "FILE",
  help: "use this file, not the nearest headstart.config.json",
} as const;
const PATHS = {
  usage: "[PATHS]",
  help: "files and folders (default: the current folder)",
  min: 0,
  max: Infinity,
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
      config: CONFIG,
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
      config: CONFIG,
    },
    examples: [
      ["headstart fix", "apply all safe rewrites in the current folder"],
      ["headstart fix --diff | git apply", "look at a patch, or apply it with git"],
      ["headstart fix src --level likely --interactive", "decide one by one"],
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
    options: { config: CONFIG },
    examples: [["headstart explain src/app.ts:12", "the await in line 12 of src/app.ts"]],
  },
} as const satisfies Record<string, CommandSpec>;

/** The name of a command. */
export type CommandName = keyof typeof COMMANDS;

/** The names of the commands, in the order of the help. */
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

type ValueOf<S> = S extends { choices: readonly (infer C)[] }
  ? C
  : S extends { value: string }
    ? string
    : true;
type ValuesOf<O> = { readonly [K in keyof O]?: ValueOf<O[K]> };

/** The options given to a command; what was not given is absent, so that config can fill it. */
export type Values<C extends CommandName> = ValuesOf<(typeof COMMANDS)[C]["options"]>;

/** What the arguments ask for. */
export type Invocation =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly command?: CommandName }
  | { readonly kind: "check"; readonly paths: readonly string[]; readonly values: Values<"check"> }
  | { readonly kind: "fix"; readonly paths: readonly string[]; readonly values: Values<"fix"> }
  | { readonly kind: "explain"; readonly target: Target; readonly values: Values<"explain"> };

/** A mistake in the arguments; `argv` without any command is `missingCommand`. */
export class UsageError extends HeadstartError {
  readonly missingCommand: boolean;

  constructor(message: string, missingCommand = false) {
    super(message);
    this.missingCommand = missingCommand;
  }
}

/** Reads the arguments after `node cli.js`; throws a {@link UsageError}. */
export function parseArguments(argv: readonly string[]): Invocation {
  const [first, ...rest] = argv;
  if (first === undefined) throw new UsageError("no command given", true);
  if (first === "--version" || first === "-v") return { kind: "version" };
  if (first === "--help" || first === "-h") {
    const command = rest[0];
    return isCommand(command) ? { kind: "help", command } : { kind: "help" };
  }
  if (!isCommand(first)) throw unknownFirst(first);
  return parseCommand(first, rest);
}

function isCommand(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

function unknownFirst(first: string): UsageError {
  const names = [...COMMAND_NAMES, ...Object.keys(COMMON_OPTIONS).map((name) => `--${name}`)];
  if (!first.startsWith("-")) {
    // A path in the place of the command is what somebody tries who has not read the help.
    const path = closest(first, names) === undefined && /[./\\]/.test(first);
    const hint = path ? `did you mean "headstart check ${first}"?` : didYouMean(first, names);
    return new UsageError(`unknown command "${first}"; ${hint}`);
  }
  const option = first.replace(/^-+/, "").replace(/=.*$/s, "");
  const owner = COMMAND_NAMES.find((name) => Object.hasOwn(COMMANDS[name].options, option));
  return new UsageError(
    owner === undefined
      ? `unknown option "${first}"; ${didYouMean(first, names)}`
      : `"--${option}" goes after the command, as in "headstart ${owner} --${option}"`,
  );
}

function parseCommand(command: CommandName, argv: readonly string[]): Invocation {
  const { values, positionals } = readTokens(command, argv);
  if (values["help"] === true) return { kind: "help", command };
  if (values["version"] === true) return { kind: "version" };
  checkPositionals(command, positionals);
  if (command === "explain") {
    return { kind: command, target: parseTarget(positionals[0] ?? ""), values };
  }
  // readTokens let through only what the table allows, which is what the type is made from.
  return { kind: command, paths: positionals, values };
}

interface Parsed {
  values: Record<string, string | true>;
  positionals: string[];
}

function readTokens(command: CommandName, argv: readonly string[]): Parsed {
  const options: Record<string, OptionSpec> = { ...COMMANDS[command].options, ...COMMON_OPTIONS };
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? "boolean" : "string", ...(short && { short }) },
      ]),
    ),
    // Its own errors run over several lines and know no suggestions.
    strict: false,
    tokens: true,
  });
  const parsed: Parsed = { values: {}, positionals: [] };
  for (const token of tokens) {
    if (token.kind === "positional") parsed.positionals.push(token.value);
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (spec === undefined) throw unknownOption(command, token.rawName, Object.keys(options));
    parsed.values[token.name] = readValue(token.name, spec, token);
  }
  return parsed;
}

function unknownOption(command: CommandName, given: string, names: readonly string[]): UsageError {
  const dashed = names.map((name) => `--${name}`);
  return new UsageError(`unknown option "${given}" of ${command}; ${didYouMean(given, dashed)}`);
}

interface Value {
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function readValue(name: string, spec: OptionSpec, given: Value): string | true {
  if (spec.value === undefined) {
    if (given.value !== undefined) throw new UsageError(`"--${name}" takes no value`);
    return true;
  }
  // `--config --diff` is a forgotten value; `--config=--diff` is meant.
  const forgotten = given.inlineValue === false && given.value?.startsWith("-") === true;
  if (given.value === undefined || given.value === "" || forgotten) {
    const example = spec.choices?.[0] ?? spec.value;
    throw new UsageError(`"--${name}" needs a value, as in "--${name} ${example}"`);
  }
  if (spec.choices && !spec.choices.includes(given.value)) {
    const hint = didYouMean(given.value, spec.choices);
    throw new UsageError(`"${given.value}" is not a value of "--${name}"; ${hint}`);
  }
  return given.value;
}

function checkPositionals(command: CommandName, positionals: readonly string[]): void {
  const { usage, min, max } = COMMANDS[command].positional;
  if (positionals.length < min) {
    throw new UsageError(`${command} needs ${usage}, as in "${COMMANDS[command].examples[0][0]}"`);
  }
  const extra = positionals[max];
  if (extra !== undefined) {
    throw new UsageError(`${command} takes one ${usage}; "${extra}" is too many`);
  }
  if (positionals.includes("")) throw new UsageError(`an argument of ${command} is empty`);
}
