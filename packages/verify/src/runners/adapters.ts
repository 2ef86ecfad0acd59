import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";

import picomatch from "picomatch";

import { VerifyError } from "../errors.js";
import type { RunnerName } from "../options.js";
import { runtimeFile } from "../runtime.js";
import { makeJest } from "./jest.js";
import { type ChosenTest, requireInstalled, type Runner, SEPARATOR } from "./runner.js";
import { flags, type RunnerCall, values, without } from "./script.js";

/** Versions whose hooks were tried; see docs/verify.md. */
const VITEST = [3, 4, 5];
const MOCHA = [5, 6, 7, 8, 9, 10, 11, 12];
/** The first version of mocha that can run files at the same time. */
const WITH_PARALLEL = 8;
const NODE_MAJORS = [20, 22, 24];

/** Makes the runner that a project's script calls. */
export function makeRunner(project: string, call: RunnerCall): Runner {
  return ADAPTERS[call.runner](project, call);
}

const ADAPTERS: Record<RunnerName, (project: string, call: RunnerCall) => Runner> = {
  vitest: makeVitest,
  jest: makeJest,
  mocha: makeMocha,
  node: makeNode,
};

function makeVitest(project: string, call: RunnerCall): Runner {
  const { folder, version } = requireInstalled(project, "vitest", VITEST);
  const dropped = new Map([
    ...flags("--watch", "-w", "--ui", "--open", "--run", "-u", "--update", "--bail"),
    ...values("--reporter", "--outputFile", "--pool", "--maxWorkers", "--bail"),
  ]);
  const words = without(call.args, dropped).filter(
    (arg, index) => index > 0 || !["run", "watch", "dev"].includes(arg),
  );
  return {
    name: "vitest",
    label: `vitest ${version}`,
    command: () => ({
      program: process.execPath,
      args: [...call.nodeArgs, runtimeFile("vitest-main.mjs"), ...words],
      env: {
        ...call.env,
        HEADSTART_VERIFY_VITEST: pathToFileURL(join(folder, "dist/index.js")).href,
        HEADSTART_VERIFY_VITEST_NODE: pathToFileURL(join(folder, "dist/node.js")).href,
        // Version 4 has no such option any more.
        ...(version.startsWith("3.") ? { HEADSTART_VERIFY_VITEST_POOL_OPTIONS: "1" } : {}),
      },
    }),
  };
}

function makeMocha(project: string, call: RunnerCall): Runner {
  const { folder, version } = requireInstalled(project, "mocha", MOCHA);
  const dropped = new Map([
    ...flags("-w", "--watch", "-p", "--parallel", "-b", "--bail", "--forbid-only"),
    ...values("-R", "--reporter", "-O", "--reporter-option", "--reporter-options", "-j", "--jobs"),
  ]);
  const bin = ["bin/mocha.js", "bin/mocha"]
    .map((it) => join(folder, it))
    .find((it) => existsSync(it));
  return {
    name: "mocha",
    label: `mocha ${version}`,
    command: () => ({
      program: process.execPath,
      args: [
        ...call.nodeArgs,
        bin ?? "",
        ...without(call.args, dropped),
        ...["--reporter", runtimeFile("mocha-reporter.cjs")],
        ...(Number.parseInt(version, 10) >= WITH_PARALLEL ? ["--no-parallel"] : []),
      ],
      env: { ...call.env },
    }),
  };
}

function makeNode(project: string, call: RunnerCall): Runner {
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

/** A command line that is timed as a whole. */
export function makeCommand(words: readonly string[]): Runner {
  const [program = "", ...args] = words;
  return { name: "command", label: words.join(" "), command: () => ({ program, args, env: {} }) };
}
