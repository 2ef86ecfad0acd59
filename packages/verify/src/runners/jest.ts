import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";

import { VerifyError } from "../errors.js";
import { runtimeFile } from "../runtime.js";
import { findInstalled, requireInstalled, type Runner } from "./runner.js";
import { flags, type RunnerCall, values, without } from "./script.js";

/** Versions whose hooks were tried; see docs/jest.md. */
const JEST = [23, 24, 25, 26, 27, 28, 29, 30];
/** The first version that runs tests with jest-circus unless it is told otherwise. */
const WITH_CIRCUS = 27;
/** The first version that knows all options below. */
const WITH_MAX_CONCURRENCY = 25;

const DROPPED = new Map([
  ...flags("--watch", "--watchAll", "-i", "--runInBand", "--verbose", "-u", "-b", "--bail"),
  ...flags("--silent", "--ci", "--updateSnapshot", "-o", "--onlyChanged", "--notify"),
  // It follows all that is asynchronous, at the price of time.
  ...flags("--detectOpenHandles"),
  ...values("--reporters", "-w", "--maxWorkers", "--coverageReporters", "--coverageDirectory"),
]);

/** jest, with its own runner of tests, around which a runner reports. */
export function makeJest(project: string, call: RunnerCall): Runner {
  const { folder, version } = requireInstalled(project, "jest", JEST);
  const major = Number.parseInt(version, 10);
  const hooks = major >= WITH_CIRCUS ? "jest-circus" : "jest-jasmine2";
  const runner = runnerOf(folder, hooks);
  return {
    name: "jest",
    label: `jest ${version}`,
    command: ({ files }, scratch) => ({
      program: process.execPath,
      args: [
        ...call.nodeArgs,
        join(folder, "bin/jest.js"),
        ...without(call.args, DROPPED),
        ...["--testRunner", runtimeFile("jest-runner.cjs"), "--cacheDirectory", scratch],
        ...["--reporters", runtimeFile("jest-reporter.cjs")],
        ...["--runInBand", "--ci", "--silent", "--coverage=false", "--watchman=false"],
        ...(major >= WITH_MAX_CONCURRENCY ? ["--maxConcurrency=1"] : []),
        ...(files === null ? [] : ["--runTestsByPath", ...files]),
      ],
      env: {
        ...call.env,
        HEADSTART_VERIFY_JEST_RUNNER: runner,
        HEADSTART_VERIFY_JEST_HOOKS: hooks,
      },
    }),
  };
}

/** The file of the runner that this jest uses: it is installed for jest, by way of its parts. */
function runnerOf(jest: string, name: string): string {
  let from = jest;
  for (const part of ["jest-cli", "@jest/core", "jest-config", name]) {
    const found = findInstalled(realpathSync(from), part)?.folder;
    if (found !== undefined) from = found;
    else if (part === name) {
      throw new VerifyError(`${name}, which jest runs tests with, is not installed in ${jest}`);
    }
  }
  const files = ["build/runner.js", "runner.js", "build/index.js"].map((file) => join(from, file));
  const file = files.find((it) => existsSync(it));
  if (file === undefined)
    throw new VerifyError(`${from} has no file that runs tests: ${files.join(", ")}`);
  return file;
}
