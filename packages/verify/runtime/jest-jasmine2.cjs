// Tells the tests of a file apart that jest-jasmine2 runs: jest's own runner until 26.
"use strict";
const { idOf, runtime } = require("./jest-names.cjs");

/** Listens to jasmine as soon as the runner puts it into the environment. */
exports.watch = (environment, file) => {
  Object.defineProperty(environment.global, "jasmine", {
    configurable: true,
    enumerable: true,
    get: () => undefined,
    set(jasmine) {
      const plain = { configurable: true, enumerable: true, writable: true, value: jasmine };
      Object.defineProperty(environment.global, "jasmine", plain);
      listen(jasmine.getEnv(), file);
    },
  });
};

function listen(env, file) {
  const groups = [];
  const id = ({ description }) => idOf(file, [...groups, description]);
  env.addReporter({
    suiteStarted: ({ description }) => groups.push(description),
    suiteDone: () => groups.pop(),
    specStarted: (spec) => runtime.begin(id(spec)),
    specDone: (spec) => runtime.end(id(spec)),
  });
  if (runtime.tests === null) return;
  // It is asked as a test is declared, when its groups are known by their names alone.
  const names = new Set(runtime.tests.map(({ name }) => name.replaceAll(" > ", " ")));
  env.specFilter = (spec) => names.has(spec.getFullName());
}
