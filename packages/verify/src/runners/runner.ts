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
   * @param scratch A folder for what the runner keeps.
   */
  command(choice: Choice, scratch: string): Command;
}

/** The tests to run. */
export interface Choice {
  /** Relative to the project; `null` for all. */
  readonly files: readonly string[] | null;
  /** The tests in them; `null` for all. A runner may run more than these. */
  readonly tests: readonly ChosenTest[] | null;
}

/** A test by its names. */
export interface ChosenTest {
  readonly id: string;
  /** The names of its groups and its own, with {@link SEPARATOR} between. */
  readonly name: string;
}

/** Stands between the names of groups and tests. */
export const SEPARATOR = " > ";

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
export function requireInstalled(
  project: string,
  name: string,
  majors: readonly number[],
): Installed {
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
export interface RuntimeSettings extends Choice {
  readonly records: string;
  readonly mode: "time" | "probe" | "overlap" | "delay" | "schedule";
  readonly delayMs: number;
  /** In which order things come to their end, in the mode `schedule`. */
  readonly schedule?: Schedule;
}

/** One of the orders in which what a program waits for may come to its end. */
export interface Schedule {
  /** Counted from one; says all delays. */
  readonly seed: number;
  /** An operation that is made to fail. */
  readonly failing?: FailingOperation;
}

/** An operation at one of the times that it runs. */
export interface FailingOperation {
  readonly site: number;
  /** Counted from zero, among those of the site. */
  readonly op: number;
  /** How often it has run before. */
  readonly count: number;
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
