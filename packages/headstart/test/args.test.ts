import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { COMMANDS, type CommandSpec, parseArguments, UsageError } from "../src/args.js";

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
  for (const [command, { options }] of Object.entries(commands)) {
    for (const [option, { choices }] of Object.entries(options)) {
      for (const choice of choices ?? []) {
        it(`takes ${command} --${option} ${choice}`, () => {
          const read = plain(parse(`${command} --${option} ${choice}`));
          assert.deepEqual(read, { kind: command, paths: [], values: { [option]: choice } });
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
    ["zzz", 'unknown command "zzz"; expected "check", "fix", "explain", "--help" or "--version"'],
    ["--versoin", 'unknown option "--versoin"; did you mean "--version"?'],
    ["--diff", '"--diff" goes after the command, as in "headstart fix --diff"'],
    ["--level=hint", '"--level" goes after the command, as in "headstart check --level"'],
    ["check --leval safe", 'unknown option "--leval" of check; did you mean "--level"?'],
    [
      "check --diff",
      'unknown option "--diff" of check; expected "--level", "--format", "--include-tests", "--config", "--deny", "--help" or "--version"',
    ],
    ["fix --interactiv", 'unknown option "--interactiv" of fix; did you mean "--interactive"?'],
    [
      "fix --deny safe",
      'unknown option "--deny" of fix; expected "--level", "--diff", "--interactive", "--include-tests", "--config", "--help" or "--version"',
    ],
    [
      "explain a:1 --level safe",
      'unknown option "--level" of explain; expected "--config", "--help" or "--version"',
    ],
    [
      "check -x",
      'unknown option "-x" of check; expected "--level", "--format", "--include-tests", "--config", "--deny", "--help" or "--version"',
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
    ["explain", 'explain needs FILE:LINE, as in "headstart explain src/app.ts:12"'],
    ["explain a.ts:1 b.ts:2", 'explain takes one FILE:LINE; "b.ts:2" is too many'],
    ["explain a.ts", '"a.ts" is not FILE:LINE with a line counted from 1, as in "src/app.ts:12"'],
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
