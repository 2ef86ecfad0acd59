import { lstatSync, readFileSync } from "node:fs";
import { relative } from "node:path";

import { groupBy } from "@headstart/verify/group";

import type { OptimizeInvocation } from "./args.js";
import { readCpuProfiles } from "./cpu-profile-files.js";
import { HeadstartError } from "./errors.js";
import { optimizeAsync, reportLine } from "./optimize.js";
import type { OptimizedCopy } from "./optimize-copy.js";
import { chooseHot } from "./optimize-hot.js";
import { type FunctionInFile, percent, ProfiledProgram } from "./optimize-profile.js";
import type { StartPosition } from "./optimize-types.js";
import { optionsFor } from "./optimize-values.js";
import { isProgram } from "./program-files.js";
import { print, printError } from "./terminal.js";

/** Where functions begin that may be converted, by their files. */
export type Chosen = ReadonlyMap<string, readonly StartPosition[]>;

/**
 * The CPU profiles that arguments name; `null` where they name none.
 *
 * @throws {HeadstartError} that names the file and what to do, where one cannot be read or is none
 */
export function profileFor(
  copy: OptimizedCopy,
  { values }: OptimizeInvocation,
): ProfiledProgram | null {
  const paths = values["only-hot"] ?? values.profile;
  if (paths === undefined) return null;
  const folders = [process.cwd(), ...(copy.places.isFolder ? [copy.places.from] : [])];
  return new ProfiledProgram(readCpuProfiles(paths), copy.places.files(), folders);
}

/** Chooses the functions that `--only-hot` converts, and says how many they are. */
export async function hotIn(
  copy: OptimizedCopy,
  work: OptimizeInvocation,
  profile: ProfiledProgram,
): Promise<Chosen> {
  const functions = await functionsIn(copy, work);
  await printError(profile.matched(work.input, functions));
  const timeOf = (it: FunctionInFile) => profile.timeOf(it);
  const { hot, called } = chooseHot(functions, timeOf);
  const sum = (all: readonly FunctionInFile[]) => all.reduce((time, it) => time + timeOf(it), 0);
  await printError(
    `note: converting at most ${String(hot.length + called.length)} of ${String(functions.length)} async functions: ` +
      `${String(hot.length)} with ${percent(sum(hot), sum(functions))} of their time, ` +
      `and ${String(called.length)} short ones that these call\n`,
  );
  const byFile = groupBy([...hot, ...called], ({ file }) => file);
  const startsOf = (all: readonly FunctionInFile[]) => all.map((it) => it.function.startPosition);
  return new Map([...byFile].map(([file, all]) => [file, startsOf(all)]));
}

/** All async functions; those of files that do not parse are left out. */
async function functionsIn(
  copy: OptimizedCopy,
  { values }: OptimizeInvocation,
): Promise<FunctionInFile[]> {
  const all: FunctionInFile[] = [];
  for (const file of copy.places.files()) {
    if (!isProgram(file) || lstatSync(file).isSymbolicLink()) continue;
    const options = { ...optionsFor(values, file), file, only: [] };
    try {
      const { functions } = await optimizeAsync(readFileSync(file, "utf8"), options);
      all.push(...functions.map((it) => ({ file, function: it })));
    } catch (error) {
      // It is said where the file is copied.
      if (!(error instanceof HeadstartError)) throw error;
    }
  }
  return all;
}

/** Prints what became of functions, those first that took the most time. */
export async function reportByTime(
  functions: readonly FunctionInFile[],
  profile: ProfiledProgram,
): Promise<void> {
  const timed = functions
    .map((it) => ({ ...it, time: profile.timeOf(it), inFile: profile.timeIn(it.file) }))
    .sort((a, b) => b.time - a.time || b.inFile - a.inFile);
  const lines = timed.map(({ file, function: it, time, inFile }) => {
    const share = time === 0 ? "no sample" : `${profile.shareOf(time)}, ${milliseconds(time)}`;
    const note = ` (${share}; its file ${profile.shareOf(inFile)})`;
    return reportLine(relative(process.cwd(), file), it, note);
  });
  await print(lines.join(""));
}

const milliseconds = (microseconds: number) => `${(microseconds / 1000).toFixed(1)} ms`;
