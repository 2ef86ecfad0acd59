import { parse, type ParseEntry } from "shell-quote";

import { RUNNERS, type RunnerName } from "../options.js";

/** How a script of a package.json starts a runner. */
export interface RunnerCall {
  readonly runner: RunnerName;
  /** Arguments of Node in front of the runner. */
  readonly nodeArgs: readonly string[];
  /** Arguments of the runner; globs as they were written. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The scripts of a package.json. */
export type Scripts = Readonly<Record<string, string>>;

interface Token {
  readonly text: string;
  readonly isGlob: boolean;
}

/** Ways to say "run the script NAME". */
const RUN_SCRIPT = /^(?:npm|yarn|pnpm|bun)$/;

/** The first call of a runner among the scripts: `test` first, then those that are named like it. */
export function findCall(scripts: Scripts, wanted: RunnerName | "auto"): RunnerCall | undefined {
  const names = Object.keys(scripts);
  const like = names.filter((name) => name !== "test" && /test|unit|spec/.test(name));
  for (const name of ["test", ...like, ...names]) {
    const call = callIn(scripts, name, wanted, new Set());
    if (call !== undefined) return call;
  }
  return undefined;
}

function callIn(
  scripts: Scripts,
  name: string,
  wanted: RunnerName | "auto",
  seen: Set<string>,
): RunnerCall | undefined {
  const script = scripts[name];
  if (script === undefined || seen.has(name)) return undefined;
  seen.add(name);
  for (const words of segments(script)) {
    const call = callOf(words);
    if (call !== undefined && (wanted === "auto" || call.runner === wanted)) return call;
    const inner = scriptNamed(words, scripts);
    const found = inner === undefined ? undefined : callIn(scripts, inner, wanted, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The commands of a script, each as its words. */
function segments(script: string): Token[][] {
  const all: Token[][] = [[]];
  // A variable stays what it is: `$NODE_ENV` means something to a shell only.
  for (const entry of parse(script, (name) => `$${name}`)) {
    const token = tokenOf(entry);
    if (token === undefined) all.push([]);
    else all.at(-1)?.push(token);
  }
  return all;
}

function tokenOf(entry: ParseEntry): Token | undefined {
  if (typeof entry === "string") return { text: entry, isGlob: false };
  return "op" in entry && entry.op === "glob" ? { text: entry.pattern, isGlob: true } : undefined;
}

/** The script that a command runs, as in `npm run test:unit` or `yarn test:unit`. */
function scriptNamed(words: readonly Token[], scripts: Scripts): string | undefined {
  const texts = words.map(({ text }) => text);
  const at = texts.findIndex((text) => RUN_SCRIPT.test(text));
  if (at === -1) return undefined;
  return texts.slice(at + 1).find((text) => Object.hasOwn(scripts, text));
}

/** The call of a runner in a command, behind whatever wraps it (`cross-env`, `c8`, `npx`). */
function callOf(words: readonly Token[]): RunnerCall | undefined {
  const env: Record<string, string> = {};
  for (const [index, { text }] of words.entries()) {
    const assignment = /^(?<name>[A-Za-z_]\w*)=(?<value>.*)$/s.exec(text)?.groups;
    if (assignment !== undefined) env[assignment["name"] ?? ""] = assignment["value"] ?? "";
    const rest = words.slice(index + 1).map((word) => word.text);
    const runner = runnerNamed(text);
    if (runner !== undefined) return { runner, nodeArgs: [], args: rest, env };
    if (text === "node" || text === "tsx") {
      const call = callOfNode(rest, text === "tsx" ? ["--import", "tsx"] : []);
      if (call !== undefined) return { ...call, env };
    }
  }
  return undefined;
}

function callOfNode(
  args: readonly string[],
  first: readonly string[],
): Omit<RunnerCall, "env"> | undefined {
  if (args.includes("--test")) return { runner: "node", nodeArgs: first, args };
  const at = args.findIndex((arg) => runnerNamed(arg) !== undefined);
  const runner = runnerNamed(args[at] ?? "");
  if (runner === undefined) return undefined;
  return { runner, nodeArgs: [...first, ...args.slice(0, at)], args: args.slice(at + 1) };
}

/** `vitest`, or a path to it as in `node_modules/jest/bin/jest.js`. */
function runnerNamed(text: string): RunnerName | undefined {
  const [, name] = /(?:^|\/)_?(vitest|jest|mocha)(?:\.m?js)?$/.exec(text) ?? [];
  return RUNNERS.find((runner) => runner === name);
}

/**
 * Arguments without those that say how to report, to watch or to measure coverage, and without those
 * that let tests run at the same time.
 *
 * @param dropped Names of options with dashes, with whether a value follows as a word of its own.
 */
export function without(args: readonly string[], dropped: ReadonlyMap<string, boolean>): string[] {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const name = arg.replace(/=.*$/s, "");
    const hasValue = dropped.get(name) ?? (isCoverage(name) ? false : undefined);
    if (hasValue === undefined) kept.push(arg);
    else if (hasValue && !arg.includes("=")) at++;
  }
  return kept;
}

/** Options without a value, as {@link without} takes them. */
export const flags = (...names: string[]): [string, boolean][] =>
  names.map((name) => [name, false]);

/** Options with a value, as {@link without} takes them. */
export const values = (...names: string[]): [string, boolean][] =>
  names.map((name) => [name, true]);

function isCoverage(name: string): boolean {
  return /^--(?:no-)?(?:experimental-test-)?coverage/i.test(name);
}
