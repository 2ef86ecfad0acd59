// Beside the time of a test, writes down how long its process computed meanwhile.
"use strict";
const { appendFileSync } = require("node:fs");

const { HEADSTART_BENCH_CORE: core, HEADSTART_BENCH_CPU: file } = process.env;
require(core);
const runtime = globalThis[Symbol.for("headstart.verify")];
const { begin, end } = runtime;
const before = new Map();

runtime.begin = (id) => {
  begin(id);
  before.set(id, process.cpuUsage());
};
runtime.end = (id) => {
  const { user, system } = process.cpuUsage(before.get(id));
  end(id);
  appendFileSync(file, `${JSON.stringify({ id, ms: (user + system) / 1000 })}\n`);
};
