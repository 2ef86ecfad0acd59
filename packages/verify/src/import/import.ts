import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import type { MeasuredTest, VerifyResult } from "@headstart/report";

import { analyse, summarise } from "../statistics/index.js";
import { readTimings, type Timings } from "./read.js";

/** What {@link importFiles} cannot know. */
export interface ImportOptions {
  /** Name of the project; the folder of the first file by default. */
  readonly name?: string;
  /** Tool and version, for {@link VerifyResult.tool}. */
  readonly tool: string;
  /** For {@link VerifyResult.createdAt}. */
  readonly createdAt: string;
}

/**
 * Judges timings of the original and of the reordered program.
 *
 * @throws {Error} if a file cannot be read, is not in that form, or the two share no test
 */
export async function importFiles(
  original: string,
  reordered: string,
  options: ImportOptions,
): Promise<VerifyResult> {
  // One after the other: where both cannot be read, the first is the one to say.
  const before = await readTimings(original);
  const after = await readTimings(reordered);
  const measured = shared(before, after);
  if (measured.length === 0) {
    throw new Error(
      `${original} and ${reordered} share no test; pass the timings of one project, the original first`,
    );
  }
  const tests = analyse(measured);
  return {
    version: 1,
    tool: options.tool,
    createdAt: options.createdAt,
    project: options.name ?? folderOf(original),
    machine: null,
    runner: `imported from ${basename(original)} and ${basename(reordered)}`,
    level: null,
    runs: mostFrequent(measured.map((test) => test.original.length)),
    warmup: 0,
    interrupted: false,
    outcome: "imported",
    agreement: null,
    sites: [],
    tests,
    latency: [],
    flaky: [],
    broken: [],
    incomplete: [],
    summary: summarise(tests),
    notes: notes(before, after),
  };
}

/**
 * Imports each folder in `folder` that holds `original.csv` and `reordered.csv`, by name.
 *
 * @throws {Error} as {@link importFiles}, or if there is no such folder
 */
export async function importFolder(
  folder: string,
  options: Omit<ImportOptions, "name">,
): Promise<VerifyResult[]> {
  const results: VerifyResult[] = [];
  for (const name of await projects(folder)) {
    const file = (program: string) => join(folder, name, `${program}.csv`);
    results.push(await importFiles(file("original"), file("reordered"), { ...options, name }));
  }
  return results;
}

async function projects(folder: string): Promise<string[]> {
  let entries;
  try {
    entries = await readdir(folder, { recursive: false, withFileTypes: true });
  } catch (error) {
    throw new Error(`${folder}: is no folder that can be read`, { cause: error });
  }
  const names: string[] = [];
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const files = await readdir(join(folder, entry.name));
    if (files.includes("original.csv") && files.includes("reordered.csv")) names.push(entry.name);
  }
  if (names.length === 0) {
    throw new Error(
      `${folder}: holds no folder with original.csv and reordered.csv; for two files use --import`,
    );
  }
  return names.sort();
}

/** The tests that both programs have times of. The data names no files and no sites. */
function shared(before: Timings, after: Timings): MeasuredTest[] {
  return [...before].flatMap(([id, original]) => {
    const rewritten = after.get(id);
    return rewritten === undefined
      ? []
      : [{ id, file: "", name: id.trim(), sites: [], original, rewritten }];
  });
}

function notes(before: Timings, after: Timings): string[] {
  const only = (some: Timings, others: Timings) => [...some.keys()].filter((id) => !others.has(id));
  const left = (ids: string[], where: string) =>
    ids.length === 0
      ? []
      : [
          `Left out, as only the ${where} has times of ${ids.length === 1 ? "it" : "them"}: ${ids.join("; ")}.`,
        ];
  return [
    "The timings are imported: what the tests said is not known.",
    ...left(only(before, after), "original"),
    ...left(only(after, before), "reordered program"),
  ];
}

function mostFrequent(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}

function folderOf(file: string): string {
  const folder = basename(dirname(file));
  return folder === "." || folder === "" ? basename(file, ".csv") : folder;
}
