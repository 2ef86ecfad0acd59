import { parseArgs } from "node:util";

import {
  COMMANDS,
  COMMAND_NAMES,
  COMMON_OPTIONS,
  type CommandName,
  type OptionSpec,
  type Values,
} from "./commands.js";
import { closest, didYouMean } from "./suggest.js";
import { traceInvocation, type TraceInvocation } from "./trace-args.js";
import { TRACE_ACTIONS } from "./trace-command.js";
import { UsageError } from "./usage-error.js";
import { type FileTarget, parseFileTarget, parseTarget, type Target } from "./target.js";

export { UsageError } from "./usage-error.js";

/** What the arguments ask for. */
export type Invocation =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly command?: CommandName }
  | OnPaths<"check">
  | OnPaths<"fix">
  | OnPaths<"callgraph">
  | OnPaths<"ask">
  | { readonly kind: "explain"; readonly target: Target; readonly values: Values<"explain"> }
  | { readonly kind: "effects"; readonly target: FileTarget; readonly values: Values<"effects"> }
  | { readonly kind: "models"; readonly files: readonly string[] }
  | { readonly kind: "rules"; readonly name: string | undefined; readonly values: Values<"rules"> }
  | VerifyInvocation
  | TraceInvocation
  | WaterfallsInvocation
  | ObserveInvocation
  | OptimizeInvocation;

/** An invocation of `verify`. */
export interface VerifyInvocation {
  readonly kind: "verify";
  /** At most one; one or two with `--import`. */
  readonly paths: readonly string[];
  readonly values: Values<"verify">;
  /** The words behind `--`, if there are any. */
  readonly command: readonly string[] | null;
}

/** An invocation of `waterfalls`. */
export interface WaterfallsInvocation {
  readonly kind: "waterfalls";
  readonly files: readonly string[];
  readonly values: Values<"waterfalls">;
}

/** An invocation of `observe`. */
export interface ObserveInvocation {
  readonly kind: "observe";
  readonly path: string | undefined;
  readonly values: Values<"observe">;
  /** The words behind `--`, if there are any. */
  readonly command: readonly string[] | null;
}

/** An invocation of `optimize`. */
export interface OptimizeInvocation {
  readonly kind: "optimize";
  readonly input: string;
  readonly output: string;
  readonly values: Values<"optimize">;
}

interface OnPaths<C extends CommandName> {
  readonly kind: C;
  readonly paths: readonly string[];
  readonly values: Values<C>;
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
    const hint = isPath(first, names)
      ? `did you mean "headstart check ${first}"?`
      : didYouMean(first, names);
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

/** Whether an unknown name is rather a path than a slip. */
function isPath(given: string, names: readonly string[]): boolean {
  return closest(given, names) === undefined && /[./\\]/.test(given);
}

function parseCommand(command: CommandName, argv: readonly string[]): Invocation {
  const { values, positionals, rest } = readTokens(command, argv);
  if (values["help"] === true) return { kind: "help", command };
  if (values["version"] === true) return { kind: "version" };
  const [first = "", ...others] = positionals;
  if (command === "models" && positionals.length > 0) checkAction(command, first, ["check"]);
  checkPositionals(command, positionals);
  // readTokens let through only what the table allows, which is what the type is made from.
  switch (command) {
    case "explain":
      return { kind: command, target: parseTarget(first), values };
    case "effects":
      return { kind: command, target: parseFileTarget(first), values };
    case "models":
      return { kind: command, files: others };
    case "rules":
      return { kind: command, name: positionals[0], values };
    case "verify":
      checkImport(positionals, values["import"] === true, rest);
      return { kind: command, paths: positionals, values, command: rest };
    case "trace":
      checkAction(command, first, TRACE_ACTIONS);
      return traceInvocation(positionals, values, rest);
    case "observe":
      checkCommand(command, rest);
      return { kind: command, path: positionals[0], values, command: rest };
    case "waterfalls":
      return { kind: command, files: positionals, values };
    case "optimize":
      return optimizeInvocation(first, values);
    default:
      return { kind: command, paths: positionals, values };
  }
}

function optimizeInvocation(input: string, values: Values<"optimize">): OptimizeInvocation {
  const inPlace = values["in-place"] === true;
  checkProfiles(values);
  const output = values.out ?? (inPlace ? input : undefined);
  if (output === undefined) {
    throw new UsageError('optimize needs "-o OUT", as in "headstart optimize src -o build"');
  }
  return { kind: "optimize", input, output, values };
}

/** Profiles tell of the files as they are, and order what is listed. */
function checkProfiles({ profile, report, watch, ...values }: Values<"optimize">): void {
  const given = profile === undefined ? "only-hot" : "profile";
  if (profile !== undefined && values["only-hot"] !== undefined) {
    throw new UsageError("--only-hot lists by time, too; leave --profile out");
  }
  if (profile !== undefined && report !== true) {
    throw new UsageError("--profile says what --report lists first; give --report, too");
  }
  if ((profile ?? values["only-hot"]) !== undefined && watch === true) {
    throw new UsageError(
      `--${given} is about files as they were when they ran; leave out --watch, under which they change`,
    );
  }
}

/** The word after a command that has several meanings. */
function checkAction(command: CommandName, given: string, actions: readonly string[]): void {
  if (actions.includes(given) || given === "") return;
  const hint = isPath(given, actions)
    ? `did you mean "headstart ${command} ${actions.at(-1) ?? ""} ${given}"?`
    : didYouMean(given, actions);
  throw new UsageError(`unknown command "${command} ${given}"; ${hint}`);
}

/** Timings that were taken elsewhere come from files; a project is one folder. */
function checkImport(
  paths: readonly string[],
  isImport: boolean,
  command: readonly string[] | null,
): void {
  const [, second] = paths;
  if (!isImport && second !== undefined) {
    throw new UsageError(`verify takes one [PATH]; "${second}" is too many`);
  }
  if (isImport && (paths.length === 0 || command !== null)) {
    throw new UsageError(
      'verify --import needs two CSV files or a folder, as in "headstart verify --import original.csv reordered.csv"',
    );
  }
  checkCommand("verify", command);
}

function checkCommand(of: CommandName, command: readonly string[] | null): void {
  if (command?.length !== 0) return;
  throw new UsageError(`"--" needs a command behind it, as in "headstart ${of} -- npm test"`);
}

interface Parsed {
  values: Record<string, string | true | string[]>;
  positionals: string[];
  rest: string[] | null;
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
  const parsed: Parsed = { values: {}, positionals: [], rest: null };
  const takesRest = "rest" in COMMANDS[command];
  for (const token of tokens) {
    if (token.kind === "option-terminator" && takesRest) {
      parsed.rest = argv.slice(token.index + 1);
      break;
    }
    if (token.kind === "positional") parsed.positionals.push(token.value);
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (spec === undefined) throw unknownOption(command, token.rawName, Object.keys(options));
    const value = readValue(token.name, spec, token);
    const before = parsed.values[token.name];
    parsed.values[token.name] =
      spec.repeatable && value !== true ? [...(Array.isArray(before) ? before : []), value] : value;
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
    const behind = command === "observe" ? '; a command stands behind "--"' : "";
    throw new UsageError(`${command} takes one ${usage}; "${extra}" is too many${behind}`);
  }
  if (positionals.includes("")) throw new UsageError(`an argument of ${command} is empty`);
}
