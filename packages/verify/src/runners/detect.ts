import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { codeOf, messageOf, VerifyError } from "../errors.js";
import type { RunnerName } from "../options.js";
import { makeCommand } from "./command.js";
import { makeJest } from "./jest.js";
import { makeMocha } from "./mocha.js";
import { makeNode } from "./node.js";
import type { Runner } from "./runner.js";
import { findCall, type RunnerCall, type Scripts } from "./script.js";
import { makeVitest } from "./vitest.js";

const RUNNERS: Record<RunnerName, (project: string, call: RunnerCall) => Runner> = {
  vitest: makeVitest,
  jest: makeJest,
  mocha: makeMocha,
  node: makeNode,
};

interface Manifest {
  readonly name?: string;
  readonly scripts?: Scripts;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What the project's own package.json says. */
export async function readManifest(project: string): Promise<Manifest> {
  const file = join(project, "package.json");
  try {
    return JSON.parse(await readFile(file, "utf8")) as Manifest;
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      throw new VerifyError(
        `${file} is missing: verify works on the folder of a project, as in "headstart verify packages/app"`,
      );
    }
    throw new VerifyError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * The runner of a project: the one asked for, the one that its scripts call, or one that it depends on.
 *
 * @throws a {@link VerifyError} where there is none.
 */
export function chooseRunner(
  project: string,
  manifest: Manifest,
  wanted: RunnerName | "auto",
  command: readonly string[] | null,
): Runner {
  if (command !== null) return makeCommand(command);
  const call = findCall(manifest.scripts ?? {}, wanted) ?? bareCall(manifest, wanted);
  if (call !== undefined) return RUNNERS[call.runner](project, call);
  const script = manifest.scripts?.["test"];
  throw new VerifyError(
    `${join(project, "package.json")} names no runner that is known (vitest, jest, mocha or node --test)` +
      `${script === undefined ? "" : `: its test script is "${script}"`}; ` +
      `choose one with --runner, or measure a command as a whole, as in "headstart verify -- npm test"`,
  );
}

/** A runner that no script calls is called without arguments. */
function bareCall(manifest: Manifest, wanted: RunnerName | "auto"): RunnerCall | undefined {
  const installed = { ...manifest.dependencies, ...manifest.devDependencies };
  const names: RunnerName[] = ["vitest", "jest", "mocha"];
  const runner = wanted === "auto" ? names.find((name) => Object.hasOwn(installed, name)) : wanted;
  return runner === undefined ? undefined : { runner, nodeArgs: [], args: [], env: {} };
}
