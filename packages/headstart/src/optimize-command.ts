import type { CommandSpec } from "./command-spec.js";
import { FUNCTIONS, TICKS } from "./levels.js";

/** `headstart optimize` */
export const OPTIMIZE = {
  summary: "remove the overhead of async code that does not wait",
  details:
    'Rewrites the functions that begin with the directive "perhaps async", and those whose result ' +
    "is awaited at once where they are called: they run like any other function until something " +
    "really has to be waited for. Results and rejections stay the same, but what waits for " +
    "nothing takes no ticks: other microtasks may come later.",
  positional: {
    usage: "IN",
    help: "a file, or a folder whose JavaScript and TypeScript is optimised",
    min: 1,
    max: 1,
  },
  options: {
    out: { short: "o", value: "OUT", help: "where the result goes; for a folder, a folder" },
    "in-place": { help: "overwrite IN with the result" },
    ticks: {
      value: "TICKS",
      choices: TICKS,
      default: "relaxed",
      help: "whether microtasks may come in another order",
    },
    functions: {
      value: "WHICH",
      choices: FUNCTIONS,
      default: "all",
      help: "which functions: all that gain, or those that ask for it",
    },
    "keep-frames": { help: "keep what return await shows in stack traces" },
    atomic: { help: "have each await keep out of the atomic blocks of other tasks" },
    "source-map": { help: "write a source map beside each file" },
    "no-restore": { help: "leave async functions that a compiler wrote as generators" },
    report: { help: "list every async function: converted, or why not" },
    profile: {
      value: "FILE",
      repeatable: true,
      help:
        "have --report list first what took the most time: a CPU profile (node --cpu-prof), " +
        "or a folder of them",
    },
    "only-hot": {
      value: "FILE",
      repeatable: true,
      help:
        "convert only the functions that together have 99% of the time of async functions in a CPU profile, " +
        "and short ones that these call; --report lists as with --profile",
    },
    watch: { help: "stay, and do it again for each file that changes" },
  },
  examples: [
    ["headstart optimize src -o build", "every file of src, into build"],
    ["headstart optimize app.js -o app.fast.js --report", "one file, and what became of it"],
    ["headstart optimize src -o build --watch", "keep build up to date"],
    [
      "headstart optimize src -o build --only-hot CPU.cpuprofile",
      "only what matters, by a profile of a run of src",
    ],
  ],
} as const satisfies CommandSpec;
