// Reports to the records of a run what mocha does, and runs the chosen files only.
"use strict";
const { relative } = require("node:path");

const runtime = globalThis[Symbol.for("headstart.verify")];

module.exports = class Reporter {
  constructor(runner) {
    // The runner has counted its tests already; nobody looks at that count here.
    if (runtime.files !== null) choose(runner.suite, new Set(runtime.files));
    runner.on("test", (test) => runtime.begin(idOf(test)));
    runner.on("test end", (test) => runtime.end(idOf(test)));
    runner.on("pass", (test) => report(test, "passed"));
    runner.on("pending", (test) => report(test, "skipped"));
    runner.on("fail", (test, error) => {
      // A hook that fails fails the test that it was for; one around a whole file stands for it.
      const of = test.type === "hook" ? (test.ctx?.currentTest ?? test) : test;
      report(of, "failed", error);
      if (of !== test) runtime.end(idOf(of));
    });
    runner.on("end", () => runtime.write({ k: "done" }));
    reportRejections();
  }
};

/** mocha listens itself, so that one listener more changes nothing; it hands on what it is told. */
function reportRejections() {
  const seen = new Set();
  process.on("unhandledRejection", (reason) => {
    if (seen.has(reason)) return;
    seen.add(reason);
    runtime.write({ k: "unhandled", message: runtime.text(reason) });
  });
}

function choose(suite, files) {
  suite.tests = suite.tests.filter((test) => files.has(fileOf(test)) && runtime.runs(idOf(test)));
  for (const inner of suite.suites) choose(inner, files);
  suite.suites = suite.suites.filter((inner) => inner.total() > 0);
}

function fileOf(test) {
  return test.file === undefined ? "" : relative(process.cwd(), test.file).replaceAll("\\", "/");
}

function nameOf(test) {
  return test
    .titlePath()
    .filter((title) => title !== "")
    .join(" > ");
}

function idOf(test) {
  return `${fileOf(test)} > ${nameOf(test)}`;
}

function report(test, state, error) {
  runtime.write({
    k: "result",
    id: idOf(test),
    file: fileOf(test),
    name: nameOf(test),
    state,
    ...(error === undefined ? {} : { message: runtime.text(error) }),
  });
}
