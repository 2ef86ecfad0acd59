// Runs a test file with jest's own runner (jest-circus), and reports what it does.
"use strict";
const { relative } = require("node:path");

const KEY = Symbol.for("headstart.verify");
const runtime = globalThis[KEY];
const circus = require(process.env.HEADSTART_VERIFY_CIRCUS);
const run = circus.default ?? circus;

module.exports = async (globalConfig, config, environment, ...rest) => {
  const [, testPath] = rest;
  const file = relative(process.cwd(), testPath).replaceAll("\\", "/");
  Object.defineProperty(environment.global, KEY, { value: runtime });
  const own = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    if (event.name === "run_start") choose(file, state.rootDescribeBlock);
    if (event.name === "test_start") runtime.begin(idOf(file, pathOf(event.test)));
    try {
      await own?.(event, state);
    } finally {
      if (ENDS.has(event.name)) runtime.end(idOf(file, pathOf(event.test)));
    }
  };
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

const ENDS = new Set(["test_done", "test_skip", "test_todo"]);
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

/** Leaves out the tests that are not chosen. */
function choose(file, block) {
  for (const child of block.children) {
    if (child.type === "describeBlock") choose(file, child);
    else if (!runtime.runs(idOf(file, pathOf(child)))) child.mode = "skip";
  }
}

/** The names of the groups of a test, and its own. */
function pathOf(test) {
  const path = [];
  for (let block = test; block.parent; block = block.parent) path.unshift(block.name);
  return path;
}

function idOf(file, path) {
  return `${file} > ${path.join(" > ")}`;
}
