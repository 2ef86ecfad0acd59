import {
  COMMANDS,
  COMMAND_NAMES,
  COMMON_OPTIONS,
  type CommandName,
  type CommandSpec,
  type OptionSpec,
} from "./commands.js";

/** Help keeps one width everywhere, so that it reads the same in a terminal and in a manual. */
const WIDTH = 80;

type Row = readonly [left: string, right: string];

/** The text of `headstart --help`. */
export function globalHelp(version: string): string {
  return [
    `headstart ${version}: finds awaits that wait needlessly and rewrites them`,
    "Usage: headstart <command> [options]",
    section("Commands", COMMAND_NAMES.map(commandRow)),
    section("Options", optionRows(COMMON_OPTIONS)),
    section("Exit codes", [
      ["0", "done, and nothing to deny"],
      ["1", "check found something at the level of --deny or surer; verify: a test broke"],
      ["2", "not done: wrong arguments, configuration or models, no files, a failed rewrite"],
      ["130, 143", "ended by Ctrl-C (SIGINT), by SIGTERM"],
    ]),
    examples(COMMAND_NAMES.map((name) => COMMANDS[name].examples[0])),
    'See "headstart <command> --help" for the options of a command.\n',
  ].join("\n\n");
}

/** The text of `headstart <command> --help`. */
export function commandHelp(name: CommandName): string {
  const command: CommandSpec = COMMANDS[name];
  const { rest } = command;
  return [
    `headstart ${name}: ${command.summary}`,
    `Usage: headstart ${name} ${command.positional.usage} [options]${rest === undefined ? "" : ` [${rest.usage}]`}`,
    wrap(command.details, WIDTH).join("\n"),
    section("Arguments", [
      [command.positional.usage, command.positional.help],
      ...(rest === undefined ? [] : [[rest.usage, rest.help] as const]),
    ]),
    section("Options", optionRows({ ...command.options, ...COMMON_OPTIONS })),
    `${examples(command.examples)}\n`,
  ].join("\n\n");
}

function commandRow(name: CommandName): Row {
  return [`${name} ${COMMANDS[name].positional.usage}`, COMMANDS[name].summary];
}

function optionRows(options: Readonly<Record<string, OptionSpec>>): Row[] {
  return Object.entries(options).map(([name, spec]) => {
    const short = spec.short === undefined ? "" : `-${spec.short}, `;
    const value = spec.value === undefined ? "" : ` ${spec.value}`;
    const choices = spec.choices === undefined ? "" : `: ${spec.choices.join(", ")}`;
    const preset = spec.default === undefined ? "" : ` (default: ${spec.default})`;
    const repeatable = spec.repeatable ? " (repeatable)" : "";
    return [`${short}--${name}${value}`, `${spec.help}${choices}${preset}${repeatable}`];
  });
}

function section(title: string, rows: readonly Row[]): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  const lines = rows.flatMap(([name, text]) =>
    wrap(text, WIDTH - left).map(
      (line, index) => (index === 0 ? `  ${name}` : "").padEnd(left) + line,
    ),
  );
  return [`${title}:`, ...lines].join("\n");
}

function examples(rows: readonly Row[]): string {
  const lines = rows.flatMap(([command, meaning]) => [`  ${command}`, `      ${meaning}`]);
  return ["Examples:", ...lines].join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
