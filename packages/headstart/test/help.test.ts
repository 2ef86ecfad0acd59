import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parseArguments } from "../src/args.js";
import { COMMANDS, COMMAND_NAMES, type CommandSpec } from "../src/commands.js";
import { commandHelp, globalHelp } from "../src/help.js";

const GLOBAL = `headstart 1.2.3: finds awaits that wait needlessly and rewrites them

Usage: headstart <command> [options]

Commands:
  check [PATHS]         report awaits that wait needlessly
  fix [PATHS]           rewrite them in place
  verify [PATH]         check a rewrite with the tests: still right? how much
                        faster?
  explain FILE:LINE     say why an await is or is not reported
  callgraph [PATHS]     say which functions each call may call
  effects FILE[:LINE]   say what functions read and write
  ask [PATHS]           ask what functions do that nobody knows
  optimize IN           remove the overhead of async code that does not wait
  trace ACTION [FILES]  record how a program waits, and show where
  observe [PATH]        record what each await really touches while a command
                        runs
  waterfalls TRACE...   say what a trace of production shows to wait needlessly
  models check FILE...  check model files of your own
  rules [NAME]          list what check looks for

Options:
  -h, --help     print this help
  -v, --version  print the version

Exit codes:
  0         done, and nothing to deny
  1         check found something at the level of --deny or surer; verify: a
            test broke
  2         not done: wrong arguments, configuration or models, no files, a
            failed rewrite
  130, 143  ended by Ctrl-C (SIGINT), by SIGTERM

Examples:
  headstart check
      check the current folder
  headstart fix
      apply all safe rewrites in the current folder
  headstart verify
      verify the safe rewrites of the project in the current folder
  headstart explain src/app.ts:12
      the await, or the async function, in line 12 of src/app.ts
  headstart callgraph
      how many calls are resolved in the current folder
  headstart effects src/app.ts
      what the functions of src/app.ts read and write
  headstart ask
      the five questions that most waits for, in the current folder
  headstart optimize src -o build
      every file of src, into build
  headstart trace record -- node server.js
      record until the server ends, or Ctrl-C
  headstart observe
      what the tests of the current folder touch
  headstart waterfalls traces.json
      what waits needlessly in production, and what to do
  headstart models check models/db.yml
      look for mistakes in models/db.yml
  headstart rules
      all rules

See "headstart <command> --help" for the options of a command.
`;

const EXPLAIN = `headstart explain: say why an await is or is not reported

Usage: headstart explain FILE:LINE [options]

Says what is known about the await at a line, and what keeps it from starting
earlier. At the line that an async function begins on, it shows what optimize
makes of the function. Loads the project that the file belongs to.

Arguments:
  FILE:LINE  a place; a column may follow, as editors print it
             (FILE:LINE:COLUMN)

Options:
  --config FILE    use this file, not the nearest headstart.config.json
  --deps NAME      analyse this dependency from its source (repeatable)
  --models FILE    use the models of modules in this file (repeatable)
  --evidence FILE  use what headstart observe has recorded there, not the
                   nearest .headstart/evidence.json (none: use nothing)
  -h, --help       print this help
  -v, --version    print the version

Examples:
  headstart explain src/app.ts:12
      the await, or the async function, in line 12 of src/app.ts
`;

const MODELS = `headstart models: check model files of your own

Usage: headstart models check FILE... [options]

Checks files that describe what the members of modules do. To use such a file,
give it to the other commands with --models, or name it in the configuration
under "models".

Arguments:
  check FILE...  the YAML files to check

Options:
  -h, --help     print this help
  -v, --version  print the version

Examples:
  headstart models check models/db.yml
      look for mistakes in models/db.yml
`;

describe("help", () => {
  it("of the whole command", () => {
    assert.equal(globalHelp("1.2.3"), GLOBAL);
  });

  it("of explain", () => {
    assert.equal(commandHelp("explain"), EXPLAIN);
  });

  it("of models, which has an action of its own", () => {
    assert.equal(commandHelp("models"), MODELS);
  });

  for (const name of COMMAND_NAMES) {
    it(`of ${name} names every option with its values and default`, () => {
      const text = commandHelp(name).replaceAll(/\s+/g, " ");
      const command: CommandSpec = COMMANDS[name];
      for (const [option, spec] of Object.entries(command.options)) {
        assert.ok(text.includes(` --${option}`), option);
        if (spec.choices !== undefined) assert.ok(text.includes(spec.choices.join(", ")), option);
        if (spec.default !== undefined)
          assert.ok(text.includes(`(default: ${spec.default})`), option);
        if (spec.repeatable) assert.ok(text.includes(`${spec.help} (repeatable)`), option);
      }
    });

    it(`of ${name} keeps to 80 columns`, () => {
      for (const line of commandHelp(name).split("\n")) assert.ok(line.length <= 80, line);
    });

    it(`of ${name} has examples that parse`, () => {
      for (const [example] of COMMANDS[name].examples) {
        const [command = ""] = example.split(/ [|>] /);
        const invocation = parseArguments(command.split(" ").slice(1));
        assert.equal(invocation.kind, name);
      }
    });
  }
});
