import type { CommandSpec } from "./command-spec.js";

/** `headstart observe` */
export const OBSERVE = {
  summary: "record what each await really touches while a command runs",
  details:
    "Runs a command, such as the tests, in a copy of the project in which every await says when it " +
    "runs, and records what its call touched: files, queries, requests, processes, and how long it " +
    "took. Neither values of queries nor bodies are kept. Drivers are followed by OpenTelemetry's " +
    "instrumentations: pg, mysql2, redis, ioredis, mongodb, fetch and http. Nothing is sent anywhere.",
  positional: {
    usage: "[PATH]",
    help: "the folder of the project (default: the current folder)",
    min: 0,
    max: 1,
  },
  rest: { usage: "-- COMMAND", help: "the command to run in it (default: npm test)" },
  options: {
    out: {
      short: "o",
      value: "FILE",
      help: "the file to write (default: .headstart/evidence.json in the project)",
    },
  },
  examples: [
    ["headstart observe", "what the tests of the current folder touch"],
    ["headstart observe -- node --test test/api.test.js", "what one file of tests touches"],
  ],
} as const satisfies CommandSpec;
