import { type CommandSpec, INCLUDE_TESTS, EVIDENCE_OPTIONS } from "./command-spec.js";
import { FIX_LEVELS, RUNNER_CHOICES } from "./levels.js";

/** `headstart verify` */
export const VERIFY = {
  summary: "check a rewrite with the tests: still right? how much faster?",
  details:
    "Makes two copies of a project, one of them rewritten as fix would, and never touches the " +
    "project itself. Runs all tests in both; then those that execute a rewritten place, again " +
    "and again, in turns. Writes a report, and ends with 0 when the tests say the same, with 1 " +
    "when one broke.",
  positional: {
    usage: "[PATH]",
    help:
      "the folder of the project (default: the current folder); with --import, two CSV files, " +
      "the original first, or a folder of folders with original.csv and reordered.csv",
    min: 0,
    max: 2,
  },
  rest: {
    usage: "-- COMMAND",
    help: "time this command as a whole, instead of the tests of a runner",
  },
  options: {
    level: {
      value: "LEVEL",
      choices: FIX_LEVELS,
      default: "safe",
      help: "weakest level to rewrite",
    },
    runner: {
      value: "RUNNER",
      choices: RUNNER_CHOICES,
      default: "auto",
      help: "what runs the tests",
    },
    runs: { value: "N", default: "50", help: "how often each test is timed in each copy" },
    warmup: { value: "N", default: "5", help: "runs of each copy before the timed ones" },
    latency: {
      value: "MS,MS",
      help: "time again with each rewritten operation delayed by so many ms, as in 0,50,200",
    },
    schedules: {
      value: "N",
      help: "run the tests also under N random delays of all that rewritten places wait for",
    },
    seed: { value: "S", help: "run them under this one schedule, as one that has shown a failure" },
    fail: { help: "in every second schedule, make an operation fail" },
    only: { value: "GLOB", help: "only tests in files that match" },
    bisect: { help: "when a test broke, find the rewrite to blame" },
    timeout: {
      value: "SECONDS",
      default: "120",
      help: "give up a run that shows no sign of life for so long",
    },
    import: { help: "judge timings that were taken elsewhere; runs nothing" },
    out: { value: "DIR", help: "where report and journal go (default: a new temporary folder)" },
    resume: { help: "go on with the measurements in --out" },
    "include-tests": INCLUDE_TESTS,
    ...EVIDENCE_OPTIONS,
  },
  examples: [
    ["headstart verify", "verify the safe rewrites of the project in the current folder"],
    ["headstart verify packages/api --latency 0,50,100,200", "as if what it calls were far away"],
    ["headstart verify --level likely --schedules 50 --fail", "under other orders and failures"],
    ["headstart verify --level likely --bisect", "find the rewrite that breaks a test"],
    ["headstart verify --runs 10 -- npm test", "time a whole command"],
    ["headstart verify --import original.csv reordered.csv", "judge published timings"],
  ],
} as const satisfies CommandSpec;
