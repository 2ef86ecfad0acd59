import { resolve } from "node:path";

import { COMMANDS } from "./commands.js";
import { type FoundConfig, loadConfig } from "./config.js";
import { findEvidence } from "./evidence.js";
import { placesOf } from "./profile.js";
import type { CallGraphFormat, DenyLevel, EffectsFormat, Format } from "./levels.js";
import type {
  AskRequest,
  CallGraphRequest,
  CheckRequest,
  EffectsRequest,
  ExplainRequest,
  FixRequest,
  ModelsRequest,
  RulesRequest,
  WholeRequest,
} from "./protocol.js";
import type {
  AskOptions,
  CallGraphOptions,
  CheckOptions,
  CommonOptions,
  EffectsOptions,
  ExplainOptions,
  FixOptions,
} from "./types.js";

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
  const { base, config } = await baseRequest(options, options.paths ?? ["."], display);
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
    applied: options.applied ?? null,
    profile:
      options.profile === undefined ? [] : await placesOf(resolve(base.cwd, options.profile)),
  };
}

/**
 * A request for {@link fix}. The level is never taken from the configuration: whoever wants
 * likely findings reported does not thereby want them rewritten.
 */
export async function fixRequest(options: FixOptions, display: Display): Promise<FixRequest> {
  const { base, config } = await baseRequest(options, options.paths ?? ["."], display);
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
  const { base, config } = await baseRequest(options, [options.file], display);
  return {
    command: "explain",
    ...base,
    // The program that `check` would look at; the file named is part of it in any case.
    includeTests: config.includeTests ?? false,
    target: { file: options.file, line: options.line },
  };
}

/** A request for {@link callgraph}. */
export async function callGraphRequest(
  options: CallGraphOptions & { readonly format?: CallGraphFormat | undefined },
  display: Display,
): Promise<CallGraphRequest> {
  const { base, config } = await baseRequest(options, options.paths ?? ["."], display);
  return {
    command: "callgraph",
    ...base,
    paths: options.paths ?? ["."],
    includeTests: options.includeTests ?? config.includeTests ?? false,
    format: options.format ?? COMMANDS.callgraph.options.format.default,
  };
}

/** A request for what `optimize` has to know of the programs of a folder, tests included. */
export async function wholeRequest(folder: string, display: Display): Promise<WholeRequest> {
  const { base } = await baseRequest({ evidence: "none", exclude: [] }, [folder], display);
  return { command: "whole", ...base, paths: [folder], includeTests: true };
}

/** A request for {@link effects}. */
export async function effectsRequest(
  options: EffectsOptions & { readonly format?: EffectsFormat | undefined },
  display: Display,
): Promise<EffectsRequest> {
  const { base, config } = await baseRequest(options, [options.file], display);
  const { file, line } = options;
  return {
    command: "effects",
    ...base,
    // The same program as for `explain`.
    includeTests: config.includeTests ?? false,
    target: line === undefined ? { file } : { file, line },
    format: options.format ?? COMMANDS.effects.options.format.default,
  };
}

/** A request for {@link ask}. */
export async function askRequest(
  options: AskOptions & { readonly format?: EffectsFormat | undefined },
  display: Display,
): Promise<AskRequest> {
  const { base, config } = await baseRequest(options, options.paths ?? ["."], display);
  const defaults = COMMANDS.ask.options;
  return {
    command: "ask",
    ...base,
    paths: options.paths ?? ["."],
    includeTests: options.includeTests ?? config.includeTests ?? false,
    format: options.format ?? defaults.format.default,
    most: options.most ?? Number(defaults.most.default),
  };
}

/** A request for what the rules are, which no configuration has a say in. */
export function rulesRequest(name: string | undefined, json: boolean): RulesRequest {
  return { command: "rules", cwd: process.cwd(), name: name ?? null, json };
}

/** A request to check files with models, which no configuration has a say in. */
export function modelsRequest(files: readonly string[]): ModelsRequest {
  return { command: "models", cwd: process.cwd(), files };
}

async function baseRequest(options: CommonOptions, paths: readonly string[], display: Display) {
  const cwd = resolve(options.cwd ?? process.cwd());
  const config: FoundConfig = await loadConfig(cwd, options.config);
  const base = {
    cwd,
    errors: options.errors ?? config.errors ?? "one",
    logs: options.logs ?? config.logs ?? "in-order",
    exclude: options.exclude ?? config.exclude ?? [],
    excludeFrom: options.exclude === undefined ? (config.excludeFrom ?? cwd) : cwd,
    assume: options.assume ?? config.assume ?? {},
    assumeFrom: options.assume === undefined ? (config.assumeFrom ?? cwd) : cwd,
    projectRoot: config.root ?? null,
    ...(await findEvidence(cwd, paths, options.evidence)),
    deps: options.deps ?? config.deps ?? [],
    models: options.models?.map((file) => resolve(cwd, file)) ?? config.models ?? [],
    ...display,
  } as const;
  return { base, config };
}
