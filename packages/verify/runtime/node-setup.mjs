// Tells the tests of a file apart that `node --test` runs in this process.
import { afterEach, beforeEach } from "node:test";
import { relative } from "node:path";
import { isMainThread } from "node:worker_threads";

const runtime = globalThis[Symbol.for("headstart.verify")];

// Not in what the tests fork: hooks would make tests of it.
if (isMainThread && process.env.HEADSTART_VERIFY_RUNNER === String(process.ppid)) {
  const file = relative(process.cwd(), process.argv[1]).replaceAll("\\", "/");
  const id = (context) => `${file} > ${context.fullName}`;
  beforeEach((context) => {
    runtime.begin(id(context));
  });
  afterEach((context) => {
    runtime.end(id(context));
  });
  // A process that ends by itself has nothing left to do first. One that is ended by its own code takes
  // with it what its tests have said, and where its exit code is 0, the runner counts it as passed.
  let isIdle = false;
  process.on("beforeExit", () => {
    isIdle = true;
  });
  process.on("exit", (code) => {
    if (isIdle || code !== 0) return;
    const test = runtime.running();
    const where = test === undefined ? "" : ` in "${test}"`;
    runtime.write({ k: "file", file, message: `process.exit(0) was called${where}` });
  });
}
