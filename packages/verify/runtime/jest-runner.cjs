// Runs a test file with the runner that this jest has by default, and reports what it does.
"use strict";
const { relative } = require("node:path");

const { idOf, KEY, runtime } = require("./jest-names.cjs");

const own = require(process.env.HEADSTART_VERIFY_JEST_RUNNER);
const run = own.default ?? own;
const { watch } = require(`./${process.env.HEADSTART_VERIFY_JEST_HOOKS}.cjs`);

module.exports = async (globalConfig, config, environment, ...rest) => {
  const [, testPath] = rest;
  const file = relative(process.cwd(), testPath).replaceAll("\\", "/");
  Object.defineProperty(environment.global, KEY, { value: runtime });
  watch(environment, file);
  let result;
  try {
    result = await run(globalConfig, config, environment, ...rest);
  } catch (error) {
    runtime.write({ k: "file", file, message: runtime.text(error) });
    throw error;
  }
  if (result.testExecError) {
    runtime.write({ k: "file", file, message: runtime.text(result.testExecError) });
  }
  for (const test of result.testResults) report(file, test);
  return result;
};

const STATES = { passed: "passed", failed: "failed" };

function report(file, { ancestorTitles, title, status, failureMessages }) {
  const path = [...ancestorTitles, title];
  const state = STATES[status] ?? "skipped";
  runtime.write({
    k: "result",
    id: idOf(file, path),
    file,
    name: path.join(" > "),
    state,
    ...(state === "failed" ? { message: runtime.text(failureMessages.join("\n")) } : {}),
  });
}
