import type { CommandSpec } from "./command-spec.js";
import { SITE_MODES, TRACE_FORMATS } from "./levels.js";

/** The words that may follow `trace`. */
export const TRACE_ACTIONS = ["record", "report", "export"] as const;

/** One of {@link TRACE_ACTIONS}. */
export type TraceAction = (typeof TRACE_ACTIONS)[number];

/** `headstart trace` */
export const TRACE = {
  summary: "record how a program waits, and show where",
  details:
    "Records which callback registered which, when each ran, and what came in between: of all Node " +
    "processes of a command, or of a page in Chromium, which is opened twice. The report says how long continuations and the gaps between them " +
    "are, which chains nothing has interrupted so far, and which lines wait the longest. What is " +
    "recorded is where and when, never what is computed.",
  positional: {
    usage: "ACTION [FILES]",
    help: "record: the command behind --, or an address; report: these traces together; export: one",
    min: 1,
    max: Infinity,
  },
  rest: { usage: "-- COMMAND", help: "the command to record, such as node server.js" },
  options: {
    out: {
      short: "o",
      value: "FILE",
      help: "record: the trace to write (default: headstart.trace); else the page or the export",
    },
    project: {
      value: "PATH",
      help: "report: also list the races (rule atomicity) of this program that the trace has seen",
    },
    seconds: {
      value: "N",
      help: "record: end the command, or leave the page, after so many seconds (a page: 10)",
    },
    script: {
      value: "FILE",
      help: "record: a module whose default function drives the page, with names of Playwright's",
    },
    sites: {
      value: "WHICH",
      choices: SITE_MODES,
      default: "sampled",
      help: "record: whose line is looked up, of every registration or of as many as cost 1%",
    },
    format: {
      value: "FORMAT",
      choices: TRACE_FORMATS,
      help: "report: tables and a page, or data; export: what to write (default: perfetto)",
    },
  },
  examples: [
    ["headstart trace record -- node server.js", "record until the server ends, or Ctrl-C"],
    [
      "headstart trace record http://localhost:3000 --script visit.mjs",
      "record a page while visit.mjs clicks and types",
    ],
    ["headstart trace report headstart.trace", "tables, and a page with all curves"],
    ["headstart trace export headstart.trace --format chrome -o trace.json", "for other viewers"],
  ],
} as const satisfies CommandSpec;
