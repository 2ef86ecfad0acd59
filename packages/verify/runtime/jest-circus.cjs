// Tells the tests of a file apart that jest-circus runs: jest's own runner since 27.
"use strict";
const { idOf, runtime } = require("./jest-names.cjs");

const ENDS = new Set(["test_done", "test_skip", "test_todo"]);

/** Listens to what happens in an environment, before what the project itself does there. */
exports.watch = (environment, file) => {
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
};

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
