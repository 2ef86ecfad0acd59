import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { addonName } from "../../src/native.js";
import { packageFile } from "../../src/package.js";

/** The built command. */
export const CLI = packageFile("dist/cli.js");

for (const file of [CLI, packageFile(join("native", addonName()))]) {
  if (!existsSync(file)) throw new Error(`${file} is missing: run "make build" first`);
}

/** The environment of the tests without what would change colours. */
export const ENV: NodeJS.ProcessEnv = { ...process.env };
for (const name of ["NO_COLOR", "FORCE_COLOR", "NODE_OPTIONS", "NODE_TEST_CONTEXT"]) {
  Reflect.deleteProperty(ENV, name);
}

export interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command to its end; its outputs are pipes. */
export function headstart(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Outcome {
  return run(process.execPath, [CLI, ...args], cwd, env);
}

/** Runs any program to its end. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
  input = "",
): Outcome {
  const options = { cwd, input, encoding: "utf8", maxBuffer: 1 << 28 } as const;
  const result = spawnSync(program, args, { ...options, env: { ...ENV, ...env } });
  if (result.error) throw result.error;
  return result;
}

/** Starts the command; `during` may send it signals. */
export function start(
  cwd: string,
  args: readonly string[],
  during: (kill: (signal: NodeJS.Signals) => void) => void = () => undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { ...ENV, ...env } });
    const outputs = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (outputs.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (outputs.stderr += text));
    child.on("error", fail);
    child.on("close", (status, signal) => {
      done({ status, signal, ...outputs });
    });
    during((signal) => child.kill(signal));
  });
}

/** Whether `script` from util-linux is there to give a program a terminal. */
export const HAS_TERMINAL =
  process.platform === "linux" && spawnSync("script", ["--version"]).error === undefined;

/**
 * Runs the command on a terminal and types each answer when the text before it appears.
 */
export function onTerminal(
  cwd: string,
  args: readonly string[],
  answers: readonly (readonly [prompt: string, keys: string])[] = [],
  extra: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const line = [process.execPath, CLI, ...args].map((arg) => `'${arg}'`).join(" ");
    const env = { ...ENV, TERM: "xterm", ...extra };
    const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd, env });
    const left = [...answers];
    let stdout = "";
    let seen = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const next = left[0];
      if (next === undefined || !stdout.includes(next[0], seen)) return;
      seen = stdout.length;
      left.shift();
      child.stdin.write(next[1]);
    });
    child.on("error", fail);
    child.on("close", (status, signal) => {
      done({ status, signal, stdout, stderr: "" });
    });
  });
}
