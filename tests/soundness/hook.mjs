// Given to `node --import` by package-run.mjs: judges what an instrumented package does in a process.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import "./api.mjs";
import { begin, counts, end, install } from "./runtime.mjs";

const { HEADSTART_SOUNDNESS_JOB: job, HEADSTART_SOUNDNESS_OUT: out } = process.env;
if (job && out) {
  const { functions, computed } = JSON.parse(readFileSync(job, "utf8"));
  install();
  begin(functions, computed);
  process.on("exit", () => {
    if (counts.entered === 0) return;
    const name = `${process.pid}-${threadId}-${process.hrtime.bigint()}.json`;
    writeFileSync(join(out, name), JSON.stringify({ misses: end(), counts }));
  });
}
