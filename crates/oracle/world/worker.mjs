// Takes programs on standard input, a batch a line, and answers with what was found.

import { createInterface } from "node:readline";
import { check } from "./check.mjs";

Error.stackTraceLimit = 0;

for await (const line of createInterface({ input: process.stdin })) {
  const results = await Promise.all(JSON.parse(line).map(check));
  process.stdout.write(`${JSON.stringify(results)}\n`);
}
