import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parseArguments, UsageError } from "../src/args.js";
import { COMMANDS, type CommandSpec } from "../src/commands.js";

function parse(line: string) {
  return parseArguments(line === "" ? [] : line.split(" "));
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe("parseArguments", () => {
  const good: [string, unknown][] = [
    ["--version", { kind: "version" }],
    ["-v", { kind: "version" }],
    ["check --version", { kind: "version" }],
    ["--help", { kind: "help" }],
    ["-h", { kind: "help" }],
    ["--help fix", { kind: "help", command: "fix" }],
    ["fix --help", { kind: "help", command: "fix" }],
    ["explain -h", { kind: "help", command: "explain" }],
    ["check", { kind: "check", paths: [], values: {} }],
    ["check src lib/a.ts", { kind: "check", paths: ["src", "lib/a.ts"], values: {} }],
    ["check --config c.json", { kind: "check", paths: [], values: { config: "c.json" } }],
    ["check --config=--odd", { kind: "check", paths: [], values: { config: "--odd" } }],
    ["check --include-tests", { kind: "check", paths: [], values: { "include-tests": true } }],
    ["check --level safe --level=hint", { kind: "check", paths: [], values: { level: "hint" } }],
    ["check -- --level -x", { kind: "check", paths: ["--level", "-x"], values: {} }],
    ["fix", { kind: "fix", paths: [], values: {} }],
    [
      "fix a --diff b --interactive --include-tests --config c --level likely",
      {
        kind: "fix",
        paths: ["a", "b"],
        values: {
          diff: true,
          interactive: true,
          "include-tests": true,
          config: "c",
          level: "likely",
        },
      },
    ],
    [
      "check --deps a --models m.yml --deps=@b/c",
      { kind: "check", paths: [], values: { deps: ["a", "@b/c"], models: ["m.yml"] } },
    ],
    ["verify", { kind: "verify", paths: [], values: {}, command: null }],
    [
      "verify app --runs 3 --latency 0,50 -- npm test --if-present",
      {
        kind: "verify",
        paths: ["app"],
        values: { runs: "3", latency: "0,50" },
        command: ["npm", "test", "--if-present"],
      },
    ],
    [
      "verify --import a.csv b.csv",
      { kind: "verify", paths: ["a.csv", "b.csv"], values: { import: true }, command: null },
    ],
    ["callgraph", { kind: "callgraph", paths: [], values: {} }],
    [
      "callgraph a --include-tests b",
      { kind: "callgraph", paths: ["a", "b"], values: { "include-tests": true } },
    ],
    ["effects a.ts", { kind: "effects", target: { file: "a.ts" }, values: {} }],
    [
      "effects a.ts:3:9 --deps x",
      { kind: "effects", target: { file: "a.ts", line: 3 }, values: { deps: ["x"] } },
    ],
    ["ask a --most 9", { kind: "ask", paths: ["a"], values: { most: "9" } }],
    [
      "trace record --sites all -- node a.js",
      {
        kind: "trace",
        action: "record",
        files: [],
        values: { sites: "all" },
        command: ["node", "a.js"],
      },
    ],
    [
      "trace report a.trace --format json",
      {
        kind: "trace",
        action: "report",
        files: ["a.trace"],
        values: { format: "json" },
        command: null,
      },
    ],
    [
      "observe a -o b -- node c.js",
      { kind: "observe", path: "a", values: { out: "b" }, command: ["node", "c.js"] },
    ],
    [
      "waterfalls a.json --project b --most 3",
      { kind: "waterfalls", files: ["a.json"], values: { project: "b", most: "3" } },
    ],
    [
      "waterfalls a.json -o page.html",
      { kind: "waterfalls", files: ["a.json"], values: { out: "page.html" } },
    ],
    ["models check a.yml b.yml", { kind: "models", files: ["a.yml", "b.yml"] }],
    ["models check -- -a.yml", { kind: "models", files: ["-a.yml"] }],
    ["models --help", { kind: "help", command: "models" }],
    ["rules", { kind: "rules", values: {} }],
    ["rules x --format json", { kind: "rules", name: "x", values: { format: "json" } }],
    ["models check -h", { kind: "help", command: "models" }],
    [
      "optimize src -o build --ticks exact",
      { kind: "optimize", input: "src", output: "build", values: { out: "build", ticks: "exact" } },
    ],
    ["explain a.ts:3", { kind: "explain", target: { file: "a.ts", line: 3 }, values: {} }],
    [
      "explain --config c C:\\a.ts:3:9",
      { kind: "explain", target: { file: "C:\\a.ts", line: 3 }, values: { config: "c" } },
    ],
  ];
  for (const [line, expected] of good) {
    it(`reads "${line}"`, () => {
      assert.deepEqual(plain(parse(line)), expected);
    });
  }

  const commands: Record<string, CommandSpec> = COMMANDS;
  for (const [command, { options, positional, rest }] of Object.entries(commands)) {
    // Its options depend on the word behind it.
    if (command === "trace") continue;
    // Where one argument has to be given, it is a file.
    const file = positional.min === 0 ? "" : " a.ts";
    const writes = command === "optimize";
    const out = writes ? { out: "b.ts" } : {};
    for (const [option, { choices }] of Object.entries(options)) {
      for (const choice of choices ?? []) {
        it(`takes ${command} --${option} ${choice}`, () => {
          const read = plain(
            parse(`${command}${file}${writes ? " -o b.ts" : ""} --${option} ${choice}`),
          );
          const target = writes ? { input: "a.ts", output: "b.ts" } : { target: { file: "a.ts" } };
          const paths = command === "rules" ? {} : { paths: [] };
          const places =
            command === "waterfalls" ? { files: ["a.ts"] } : file === "" ? paths : target;
          const given = rest === undefined ? places : { ...places, command: null };
          assert.deepEqual(read, { kind: command, ...given, values: { ...out, [option]: choice } });
        });
      }
    }
  }
});

describe("parseArguments refuses", () => {
  const bad: [string, string][] = [
    ["", "no command given"],
    ["chekc", 'unknown command "chekc"; did you mean "check"?'],
    ["help", 'unknown command "help"; did you mean "--help"?'],
    ["src/", 'unknown command "src/"; did you mean "headstart check src/"?'],
    [
      "zzz",
      'unknown command "zzz"; expected "check", "fix", "verify", "explain", "callgraph", "effects", "ask", "optimize", "trace", "observe", "waterfalls", "models", "rules", "--help" or "--version"',
    ],
    ["call-graph", 'unknown command "call-graph"; did you mean "callgraph"?'],
    ["effect a.ts", 'unknown command "effect"; did you mean "effects"?'],
    ["--deps=x", '"--deps" goes after the command, as in "headstart check --deps"'],
    ["--versoin", 'unknown option "--versoin"; did you mean "--version"?'],
    ["--diff", '"--diff" goes after the command, as in "headstart fix --diff"'],
    ["--level=hint", '"--level" goes after the command, as in "headstart check --level"'],
    ["check --leval safe", 'unknown option "--leval" of check; did you mean "--level"?'],
    [
      "check --diff",
      'unknown option "--diff" of check; expected "--level", "--format", "--include-tests", "--config", "--deps", "--models", "--evidence", "--profile", "--deny", "--help" or "--version"',
    ],
    ["fix --interactiv", 'unknown option "--interactiv" of fix; did you mean "--interactive"?'],
    [
      "fix --deny safe",
      'unknown option "--deny" of fix; expected "--level", "--diff", "--interactive", "--include-tests", "--config", "--deps", "--models", "--evidence", "--help" or "--version"',
    ],
    [
      "explain a:1 --level safe",
      'unknown option "--level" of explain; expected "--config", "--deps", "--models", "--evidence", "--help" or "--version"',
    ],
    [
      "check -x",
      'unknown option "-x" of check; expected "--level", "--format", "--include-tests", "--config", "--deps", "--models", "--evidence", "--profile", "--deny", "--help" or "--version"',
    ],
    ["trace report a --seconds 3", "--seconds is for trace record; leave it out here"],
    [
      "trace record http://a --sites all",
      "--sites is for trace record of a command; leave it out here",
    ],
    ["trace record --script a -- b", "--script is for trace record of a page; leave it out here"],
    [
      "trace report a --format json --project .",
      "--project is for the tables of trace report; leave it out here",
    ],
    ["verify a b", 'verify takes one [PATH]; "b" is too many'],
    ["verify --", '"--" needs a command behind it, as in "headstart verify -- npm test"'],
    [
      "verify --import",
      'verify --import needs two CSV files or a folder, as in "headstart verify --import original.csv reordered.csv"',
    ],
    ["check --level lkely", '"lkely" is not a value of "--level"; did you mean "likely"?'],
    [
      "check --level best",
      '"best" is not a value of "--level"; expected "safe", "likely" or "hint"',
    ],
    [
      "check --level none",
      '"none" is not a value of "--level"; expected "safe", "likely" or "hint"',
    ],
    ["check --format jsno", '"jsno" is not a value of "--format"; did you mean "json"?'],
    ["check --deny nnoe", '"nnoe" is not a value of "--deny"; did you mean "none"?'],
    ["fix --level hint", '"hint" is not a value of "--level"; expected "safe" or "likely"'],
    ["check --level", '"--level" needs a value, as in "--level safe"'],
    ["check --level --include-tests", '"--level" needs a value, as in "--level safe"'],
    ["check --level=", '"--level" needs a value, as in "--level safe"'],
    ["check --config", '"--config" needs a value, as in "--config FILE"'],
    ["fix --diff=yes", '"--diff" takes no value'],
    ["optimize src", 'optimize needs "-o OUT", as in "headstart optimize src -o build"'],
    ["explain", 'explain needs FILE:LINE, as in "headstart explain src/app.ts:12"'],
    ["explain a.ts:1 b.ts:2", 'explain takes one FILE:LINE; "b.ts:2" is too many'],
    ["explain a.ts", '"a.ts" is not FILE:LINE with a line counted from 1, as in "src/app.ts:12"'],
    ["check --dep x", 'unknown option "--dep" of check; did you mean "--deps"?'],
    ["check --model x", 'unknown option "--model" of check; did you mean "--models"?'],
    ["check --deps", '"--deps" needs a value, as in "--deps NAME"'],
    ["check --deps a --deps=", '"--deps" needs a value, as in "--deps NAME"'],
    ["check --models", '"--models" needs a value, as in "--models FILE"'],
    ["callgraph --formt dot", 'unknown option "--formt" of callgraph; did you mean "--format"?'],
    [
      "callgraph --format sarif",
      '"sarif" is not a value of "--format"; expected "pretty", "json" or "dot"',
    ],
    [
      "callgraph --level safe",
      'unknown option "--level" of callgraph; expected "--format", "--include-tests", "--config", "--deps", "--models", "--help" or "--version"',
    ],
    ["effects", 'effects needs FILE[:LINE], as in "headstart effects src/app.ts"'],
    ["effects a.ts b.ts", 'effects takes one FILE[:LINE]; "b.ts" is too many'],
    [
      "effects a.ts:0",
      '"a.ts:0" is not FILE or FILE:LINE with a line counted from 1, as in "src/app.ts:12"',
    ],
    [
      "effects a.ts --format dot",
      '"dot" is not a value of "--format"; expected "pretty" or "json"',
    ],
    [
      "effects a.ts --include-tests",
      'unknown option "--include-tests" of effects; expected "--format", "--config", "--deps", "--models", "--evidence", "--help" or "--version"',
    ],
    ["models", 'models needs check FILE..., as in "headstart models check models/db.yml"'],
    ["models check", 'models needs check FILE..., as in "headstart models check models/db.yml"'],
    ["models chekc a.yml", 'unknown command "models chekc"; did you mean "check"?'],
    ["models list", 'unknown command "models list"; expected "check"'],
    [
      "models a.yml",
      'unknown command "models a.yml"; did you mean "headstart models check a.yml"?',
    ],
    [
      "models check a.yml --config c",
      'unknown option "--config" of models; expected "--help" or "--version"',
    ],
    ["models check a.yml ", "an argument of models is empty"],
    ["check a  b", "an argument of check is empty"],
    ["check --toString", /^unknown option "--toString" of check/],
    ["toString", /^unknown command "toString"/],
    ["__proto__", /^unknown command "__proto__"/],
  ] as [string, string][];
  for (const [line, message] of bad) {
    it(`"${line}"`, () => {
      assert.throws(() => parse(line), { message, exitCode: 2 });
    });
  }

  it("in one line", () => {
    for (const [line] of bad) {
      assert.throws(
        () => parse(line),
        (error: Error) => !error.message.includes("\n"),
      );
    }
  });

  it("the lack of a command in a way of its own", () => {
    assert.throws(
      () => parse(""),
      (error) => error instanceof UsageError && error.missingCommand,
    );
  });
});
