import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";

import picomatch from "picomatch";

import { VerifyError } from "../errors.js";
import { runtimeFile } from "../runtime.js";
import { type ChosenTest, type Runner, SEPARATOR } from "./runner.js";
import { flags, type RunnerCall, values, without } from "./script.js";

/** Versions whose test runner was tried; see docs/node.md. */
const NODE_MAJORS = [20, 22, 24];

/** The test runner of Node, with a reporter. */
export function makeNode(project: string, call: RunnerCall): Runner {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // Before 20.16, a test does not say which groups it is in.
  if (!NODE_MAJORS.includes(major) || (major === 20 && minor < 16)) {
    throw new VerifyError(
      `the test runner of Node ${process.versions.node} is not known: that of Node ` +
        `${NODE_MAJORS.join(", ")} (from 20.16 on) is; measure the command as a whole instead, ` +
        `as in "headstart verify -- npm test"`,
    );
  }
  const dropped = new Map([
    ...flags("--test", "--watch", "--test-force-exit"),
    ...values("--test-reporter", "--test-reporter-destination", "--test-concurrency"),
  ]);
  const kept = without(call.args, dropped);
  const { options, paths } = split(kept);
  const expanded = paths.flatMap((path) => expand(project, path));
  return {
    name: "node",
    label: `node:test ${process.versions.node}`,
    command: ({ files, tests }) => ({
      program: process.execPath,
      args: [
        ...namePatterns(tests),
        ...[
          ...call.nodeArgs,
          ...options,
          "--import",
          pathToFileURL(runtimeFile("node-setup.mjs")).href,
        ],
        ...["--test", "--test-concurrency=1", "--test-reporter-destination=stdout"],
        ...["--test-reporter", pathToFileURL(runtimeFile("node-reporter.mjs")).href],
        ...(files ?? expanded),
      ],
      env: { ...call.env },
    }),
  };
}

/** How long a command line may get for the names of tests, in characters. */
const PATTERNS_LENGTH = 20_000;

/** Tests are chosen by their own names and those of their groups: others may have the same ones. */
function namePatterns(tests: readonly ChosenTest[] | null): string[] {
  const names = new Set((tests ?? []).flatMap(({ name }) => name.split(SEPARATOR)));
  const patterns = [...names].map((name) => `--test-name-pattern=/^${escape(name)}$/`);
  return patterns.join(" ").length > PATTERNS_LENGTH ? [] : patterns;
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
}

/** Options of Node that take their value as a word of its own. */
const WITH_VALUE = new Set([
  "--import",
  "--require",
  "-r",
  "--loader",
  "--experimental-loader",
  "-C",
  "--conditions",
  "--test-name-pattern",
  "--env-file",
  "--test-timeout",
]);

function split(args: readonly string[]): { options: string[]; paths: string[] } {
  const options: string[] = [];
  const paths: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) paths.push(arg);
    else if (WITH_VALUE.has(arg)) options.push(arg, args[++at] ?? "");
    else options.push(arg);
  }
  return { options, paths };
}

/** The files that a glob names, as a shell would have it: Node 20 takes paths only. */
function expand(project: string, path: string): string[] {
  if (!picomatch.scan(path).isGlob) return [path];
  const { base } = picomatch.scan(path);
  const names = readdirSync(join(project, base), { recursive: true, encoding: "utf8" });
  const files = names.map((name) => join(base, name).split(sep).join("/"));
  const matches = picomatch(path.replace(/^\.\//, ""));
  const found = files.filter((file) => !file.includes("node_modules/") && matches(file));
  return found.length > 0 ? found.sort() : [path];
}
