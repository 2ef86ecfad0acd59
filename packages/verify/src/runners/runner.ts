import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { VerifyError } from "../errors.js";
import type { RunnerName } from "../options.js";
import type { Command } from "../process.js";
import { runtimeFile } from "../runtime.js";

/** Something that runs the tests of a copy, one after the other. */
export interface Runner {
  readonly name: RunnerName | "command";
  /** As the report prints it: `vitest 4.1.12`. */
  readonly label: string;
  /**
   * The command to be started in the project's folder of a copy, without the runtime.
   *
   * @param files The files to run, relative to it; `null` for all.
   * @param scratch A folder for what the runner keeps.
   */
  command(files: readonly string[] | null, scratch: string): Command;
}

/** A package that is installed for a project. */
export interface Installed {
  readonly folder: string;
  readonly version: string;
}

/** Looks for a package where Node would. */
export function findInstalled(project: string, name: string): Installed | undefined {
  for (let folder = project; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    try {
      const { version } = JSON.parse(readFileSync(join(found, "package.json"), "utf8")) as {
        version: string;
      };
      return { folder: found, version };
    } catch {
      if (dirname(folder) === folder) return undefined;
    }
  }
}

/**
 * The runner's package.
 *
 * @throws a {@link VerifyError} where it is not installed, or of a version that nobody has tried.
 */
export function requireInstalled(project: string, name: string, majors: readonly number[]): Installed {
  const found = findInstalled(project, name);
  if (found === undefined) {
    throw new VerifyError(
      `${name} is not installed in ${project}; install the project's dependencies first`,
    );
  }
  if (!majors.includes(Number.parseInt(found.version, 10))) {
    throw new VerifyError(
      `${name} ${found.version} is not known: ${name} ${majors.join(", ")} are; ` +
        `measure the command as a whole instead, as in "headstart verify -- npm test"`,
    );
  }
  return found;
}

/** What every run has in its environment, for what runs in it. */
export interface RuntimeSettings {
  readonly records: string;
  readonly mode: "time" | "probe" | "overlap" | "delay";
  readonly delayMs: number;
  readonly files: readonly string[] | null;
}

/** Adds the runtime to a command: it is loaded in every process that comes of it. */
export function withRuntime(command: Command, settings: RuntimeSettings): Command {
  const before = command.env["NODE_OPTIONS"] ?? process.env["NODE_OPTIONS"] ?? "";
  // Node reads quotes and backslashes in there.
  const path = JSON.stringify(runtimeFile("core.cjs"));
  return {
    ...command,
    env: {
      ...command.env,
      NODE_OPTIONS: `${before} --require ${path}`.trim(),
      HEADSTART_VERIFY: JSON.stringify(settings),
    },
  };
}
