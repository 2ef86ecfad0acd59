// Runs the project's own vitest in one process at a time, and reports what its tests said.
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { namesOf } from "./vitest-names.mjs";

const runtime = globalThis[Symbol.for("headstart.verify")];
const { createVitest, parseCLI } = await import(process.env.HEADSTART_VERIFY_VITEST_NODE);
const { filter, options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);

const vitest = await createVitest("test", {
  ...options,
  run: true,
  watch: false,
  // One that says nothing: the tasks are read when all is done.
  reporters: [{}],
  coverage: { enabled: false },
  // In processes, which can be ended whatever the tests do; one after the other.
  pool: "forks",
  fileParallelism: false,
  maxConcurrency: 1,
  ...(process.env.HEADSTART_VERIFY_VITEST_POOL_OPTIONS === undefined
    ? {}
    : { poolOptions: { forks: { singleFork: true } } }),
});
for (const project of vitest.projects) {
  if (runtime.tests !== null) project.config.testNamePattern = patternOf(runtime.tests);
  project.config.setupFiles.unshift(fileURLToPath(new URL("vitest-setup.mjs", import.meta.url)));
}
try {
  await vitest.start(runtime.files?.map((file) => resolve(file)) ?? filter);
  for (const file of vitest.state.getFiles()) reportFile(file);
  for (const error of vitest.state.getUnhandledErrors()) {
    runtime.write({ k: "unhandled", message: runtime.text(error) });
  }
} catch (error) {
  runtime.write({ k: "file", file: "", message: runtime.text(error) });
} finally {
  runtime.write({ k: "done" });
  await vitest.close();
}

/** Matches the names that vitest puts together: those of groups and test, with a space between. */
function patternOf(tests) {
  const names = tests.map(({ name }) => name.replace(/^\[[^\]]*\] /, "").replaceAll(" > ", " "));
  const escaped = names.map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^(?:${escaped.join("|")})$`);
}

function reportFile(file) {
  const errors = file.result?.errors ?? [];
  if (errors.length > 0) {
    const name = relative(process.cwd(), file.filepath).replaceAll("\\", "/");
    runtime.write({ k: "file", file: name, message: errors.map(runtime.text).join("\n") });
  }
  for (const task of file.tasks) reportTask(task);
}

function reportTask(task) {
  if (task.type === "suite") {
    const errors = task.result?.errors ?? [];
    if (errors.length > 0) {
      const { file } = namesOf(task);
      runtime.write({ k: "file", file, message: errors.map(runtime.text).join("\n") });
    }
    for (const inner of task.tasks) reportTask(inner);
    return;
  }
  const { state, errors = [] } = task.result ?? {};
  runtime.write({
    k: "result",
    ...namesOf(task),
    state: state === "pass" ? "passed" : state === "fail" ? "failed" : "skipped",
    ...(errors.length > 0 ? { message: errors.map(runtime.text).join("\n") } : {}),
  });
}
