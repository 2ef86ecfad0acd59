import { existsSync } from "node:fs";
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
import { callInPackage } from "./workspace.js";

const RUNNERS: Record<RunnerName, (project: string, call: RunnerCall) => Runner> = {
  vitest: makeVitest,
  jest: makeJest,
  mocha: makeMocha,
  node: makeNode,
};

/** What is read of a package.json. */
export interface Manifest {
  readonly name?: string;
  readonly scripts?: Scripts;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

async function readManifest(project: string): Promise<Manifest> {
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

/** What the package.json of a project says, and that of its workspace. */
export interface Manifests {
  readonly project: string;
  readonly manifest: Manifest;
  /** The workspace that the project belongs to, where it belongs to one. */
  readonly workspace: { readonly root: string; readonly manifest: Manifest } | undefined;
}

/**
 * Reads the package.json of a project, and that of its workspace; one that pnpm describes may have none.
 *
 * @param root The folder of the workspace, or that of the project.
 */
export async function readManifests(project: string, root: string): Promise<Manifests> {
  const manifest = await readManifest(project);
  if (root === project) return { project, manifest, workspace: undefined };
  const isThere = existsSync(join(root, "package.json"));
  return {
    project,
    manifest,
    workspace: { root, manifest: isThere ? await readManifest(root) : {} },
  };
}

/** What a runner is chosen by. */
export interface Wanted extends Manifests {
  readonly runner: RunnerName | "auto";
  readonly command: readonly string[] | null;
}

/**
 * The runner of a project: the one asked for, the one that its scripts call, one that it depends on, or
 * those of its workspace.
 *
 * @throws a {@link VerifyError} where there is none.
 */
export function chooseRunner(wanted: Wanted): Runner {
  const { project, manifest, workspace, runner, command } = wanted;
  if (command !== null) return makeCommand(command);
  const call =
    findCall(manifest.scripts ?? {}, runner) ??
    bareCall(manifest, runner) ??
    workspaceCall(wanted) ??
    (runner === "auto" ? undefined : bare(runner));
  if (call !== undefined) return RUNNERS[call.runner](project, call);
  const script = manifest.scripts?.["test"];
  const root = workspace === undefined ? "" : ` and ${join(workspace.root, "package.json")}`;
  throw new VerifyError(
    `${join(project, "package.json")}${root} ${root === "" ? "names" : "name"} no runner that is known ` +
      `(vitest, jest, mocha or node --test)` +
      `${script === undefined ? "" : `: its test script is "${script}"`}; ` +
      `choose one with --runner, or measure a command as a whole, as in "headstart verify -- npm test"`,
  );
}

/** A runner that no script calls is called without arguments. */
function bareCall(manifest: Manifest, wanted: RunnerName | "auto"): RunnerCall | undefined {
  const installed = { ...manifest.dependencies, ...manifest.devDependencies };
  const runner = (["vitest", "jest", "mocha"] as const).find(
    (name) => Object.hasOwn(installed, name) && (wanted === "auto" || wanted === name),
  );
  return runner === undefined ? undefined : bare(runner);
}

/** A package without a runner of its own has its tests run by that of its workspace. */
function workspaceCall({ project, workspace, runner }: Wanted): RunnerCall | undefined {
  if (workspace === undefined) return undefined;
  const { root, manifest } = workspace;
  const call = findCall(manifest.scripts ?? {}, runner) ?? bareCall(manifest, runner);
  return call && callInPackage(call, root, project);
}

function bare(runner: RunnerName): RunnerCall {
  return { runner, nodeArgs: [], args: [], env: {} };
}
