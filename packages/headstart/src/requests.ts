import type { Invocation } from "./args.js";
import type { CommandName } from "./commands.js";
import {
  askRequest,
  callGraphRequest,
  checkRequest,
  type Display,
  effectsRequest,
  explainRequest,
  fixRequest,
  modelsRequest,
  rulesRequest,
} from "./options.js";
import { wholeNumber } from "./numbers.js";
import type { FixRequest, Request } from "./protocol.js";

/** The invocations that are one request to the addon, or several. */
export type Work = Extract<
  Invocation,
  { kind: Exclude<CommandName, "observe" | "optimize" | "trace" | "verify" | "waterfalls"> }
>;

/** An invocation of `fix`. */
export type FixWork = Extract<Work, { kind: "fix" }>;

/** What the addon is asked for an invocation. */
export async function requestOf(work: Work, display: Display): Promise<Request> {
  switch (work.kind) {
    case "check": {
      const { level, format, deny, profile } = work.values;
      return checkRequest({ ...onPaths(work), level, format, deny, profile }, display);
    }
    case "fix":
      return fixRequestOf(work, display);
    case "explain":
      return explainRequest({ ...common(work), ...work.target }, display);
    case "callgraph":
      return callGraphRequest({ ...onPaths(work), format: work.values.format }, display);
    case "effects": {
      const { format } = work.values;
      return effectsRequest({ ...common(work), ...work.target, format }, display);
    }
    case "ask": {
      const { format, most } = work.values;
      const count = most === undefined ? undefined : wholeNumber("most", most, 1);
      return askRequest({ ...onPaths(work), format, most: count }, display);
    }
    case "models":
      return modelsRequest(work.files);
    case "rules":
      return rulesRequest(work.name, work.values.format === "json");
  }
}

/** What the addon is asked for an invocation of `fix`. */
export function fixRequestOf(work: FixWork, display: Display): Promise<FixRequest> {
  const { level, diff } = work.values;
  return fixRequest({ ...onPaths(work), level, diff }, display);
}

function onPaths(work: Extract<Work, { paths: unknown }>) {
  return {
    ...common(work),
    paths: work.paths.length === 0 ? undefined : work.paths,
    includeTests: work.values["include-tests"],
  };
}

function common({ values }: Exclude<Extract<Work, { values: unknown }>, { kind: "rules" }>) {
  const { config, deps, models } = values;
  // What a call may call does not depend on it.
  const evidence = "evidence" in values ? values.evidence : undefined;
  return { config, deps, evidence, models };
}
