import { resolve } from "node:path";

import { COMMANDS } from "./args.js";
import { type Config, loadConfig } from "./config.js";
import type { DenyLevel, Format } from "./levels.js";
import type { CheckRequest, ExplainRequest, FixRequest } from "./protocol.js";
import type { CheckOptions, CommonOptions, ExplainOptions, FixOptions } from "./types.js";

/** How the texts of an answer are to look. */
export interface Display {
  readonly color: boolean;
  readonly width: number;
}

/** Looks of an answer nobody prints. */
export const PLAIN: Display = { color: false, width: 100 };

/** A request for {@link check}: options over configuration over defaults. */
export async function checkRequest(
  options: CheckOptions & {
    readonly format?: Format | undefined;
    readonly deny?: DenyLevel | undefined;
  },
  display: Display,
): Promise<CheckRequest> {
  const { base, config } = await baseRequest(options, display);
  const defaults = COMMANDS.check.options;
  return {
    command: "check",
    ...base,
    paths: options.paths ?? ["."],
    level: options.level ?? config.level ?? defaults.level.default,
    includeTests: options.includeTests ?? config.includeTests ?? false,
    format: options.format ?? defaults.format.default,
    deny: options.deny ?? config.deny ?? defaults.deny.default,
    rendered: options.rendered ?? false,
  };
}

/**
 * A request for {@link fix}. The level is never taken from the configuration: whoever wants
 * likely findings reported does not thereby want them rewritten.
 */
export async function fixRequest(options: FixOptions, display: Display): Promise<FixRequest> {
  const { base, config } = await baseRequest(options, display);
  return {
    command: "fix",
    ...base,
    paths: options.paths ?? ["."],
    level: options.level ?? COMMANDS.fix.options.level.default,
    includeTests: options.includeTests ?? config.includeTests ?? false,
    diff: options.diff ?? false,
    only: options.only ?? null,
  };
}

/** A request for {@link explain}. */
export async function explainRequest(
  options: ExplainOptions,
  display: Display,
): Promise<ExplainRequest> {
  const { base, config } = await baseRequest(options, display);
  return {
    command: "explain",
    ...base,
    // The program that `check` would look at; the file named is part of it in any case.
    includeTests: config.includeTests ?? false,
    target: { file: options.file, line: options.line },
  };
}

async function baseRequest(options: CommonOptions, display: Display) {
  const cwd = resolve(options.cwd ?? process.cwd());
  const config: Config = await loadConfig(cwd, options.config);
  const base = {
    cwd,
    errors: options.errors ?? config.errors ?? "one",
    exclude: options.exclude ?? config.exclude ?? [],
    ...display,
  } as const;
  return { base, config };
}
