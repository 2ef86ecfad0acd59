import { existsSync } from "node:fs";
import { createRequire } from "node:module";

import { messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import { packageFile } from "./package.js";

/** What became of a text. The long parts are no JSON: to write and to read that costs as much as to parse the text. */
export interface TextAnswer {
  /** `null` where nothing changed. */
  readonly code: string | null;
  /** The source map as JSON. */
  readonly map: string | null;
  /** What became of its functions, as JSON. */
  readonly report: string;
}

/** The functions of the native addon, which does all analysis, rewriting and rendering. */
export interface Addon {
  /** Runs a request on a worker thread. JSON in, JSON out. */
  run(request: string): Promise<string>;
  /** Optimises one text, at once, as a request in JSON says. */
  optimize(request: string, code: string): TextAnswer;
  /** Optimises one text on a worker thread, as a request in JSON says. */
  optimizeAsync(request: string, code: string): Promise<TextAnswer>;
  /** Whether a file may have something in it that {@link Addon.optimize} does anything about, or cannot be read. */
  mayBeOptimizable(file: string): boolean;
  /** How far the running request is, as JSON. */
  progress(): string;
  /** Asks the running request to stop at its next step. */
  cancel(): void;
  /** Ends the process at once, whatever its threads do. */
  exitNow(code: number): never;
  version(): string;
}

/** The functions of the addon that measures traces. */
export interface TraceAddon {
  /** Measures the traces at `paths` together; resolves to the report as JSON. */
  analyse(paths: readonly string[]): Promise<string>;
  /** Writes the trace at `path` to `out`, in Perfetto's own format or as JSON of Chrome's. */
  exportTrace(path: string, out: string, perfetto: boolean): Promise<void>;
}

let loaded: Addon | undefined;
let loadedTrace: TraceAddon | undefined;

/** Loads the addon at the first call; throws a {@link HeadstartError} that says what to do. */
export function loadAddon(): Addon {
  loaded ??= loadFrom(packageFile(`native/${addonName()}`)) as Addon;
  return loaded;
}

/** The same for the addon that measures traces. */
export function loadTraceAddon(): TraceAddon {
  const path = packageFile(`native/${addonName("headstart-trace")}`);
  loadedTrace ??= loadFrom(path) as TraceAddon;
  return loadedTrace;
}

/** The file name of an addon for this machine. */
export function addonName(name = "headstart"): string {
  return `${name}.${process.platform}-${process.arch}.node`;
}

/** Loads the addon at `path`. */
export function loadFrom(path: string): unknown {
  const platform = `${process.platform}-${process.arch}`;
  if (!existsSync(path)) {
    throw new HeadstartError(
      `this installation has no native addon for ${platform} (${path} is missing); ${remedy()}`,
    );
  }
  try {
    return createRequire(import.meta.url)(path) as unknown;
  } catch (error) {
    const reason = messageOf(error).split("\n", 1)[0] ?? "";
    throw new HeadstartError(
      `the native addon for ${platform} cannot be loaded: ${reason}; ${remedy()}`,
      { cause: error },
    );
  }
}

function remedy(): string {
  if (existsSync(packageFile("src"))) return 'in a checkout, "make build" builds it';
  if (process.platform === "linux" && usesMusl()) {
    return "it needs glibc, and this system has musl: use an image such as node:20-slim";
  }
  return 'reinstall with "npm install --force headstart"; if that does not help, this platform is not supported yet';
}

/** Alpine and its kin, where an addon linked against glibc does not load. */
function usesMusl(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime === undefined;
}
