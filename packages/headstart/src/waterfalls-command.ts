import { type CommandSpec, INCLUDE_TESTS, EVIDENCE_OPTIONS } from "./command-spec.js";
import { EFFECTS_FORMATS } from "./levels.js";

/** `headstart waterfalls` */
export const WATERFALLS = {
  summary: "say what a trace of production shows to wait needlessly",
  details:
    "Reads traces of OpenTelemetry, as the file exporter of its collector writes them (JSON or " +
    "protobuf, also with gzip), and lists operations of one parent that never overlap, by the time " +
    "that they cost, with what check says of the lines that started them: spans name these where " +
    "the program uses CodePlaces of headstart/otel. Nothing is sent anywhere.",
  positional: {
    usage: "TRACE...",
    help: "files of the collector",
    min: 1,
    max: Infinity,
  },
  options: {
    project: {
      value: "PATH",
      default: ".",
      help: "the program that the traces are of",
    },
    after: {
      value: "TRACE",
      repeatable: true,
      help: "a trace of the program once it is rewritten: says how long requests take then",
    },
    most: {
      value: "N",
      default: "10",
      help: "how many to list; with json, all of them by default",
    },
    format: {
      value: "FORMAT",
      choices: EFFECTS_FORMATS,
      default: "pretty",
      help: "form of the output",
    },
    out: {
      short: "o",
      value: "FILE",
      help: "also write a page with a picture of requests before and after; with json, the data",
    },
    "include-tests": INCLUDE_TESTS,
    ...EVIDENCE_OPTIONS,
  },
  examples: [
    ["headstart waterfalls traces.json", "what waits needlessly in production, and what to do"],
    ["headstart waterfalls traces.json --project services/api", "of a program in another folder"],
    ["headstart waterfalls traces.json -o waterfalls.html", "a page: requests before and after"],
    ["headstart waterfalls old.json --after new.json", "what a rewrite has made of them"],
  ],
} as const satisfies CommandSpec;
