import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

import type { PlannedSite, VerifyOptions } from "../src/index.js";
import { lineAt } from "../src/edits.js";
import type { Progress } from "../src/progress.js";

const folders: string[] = [];

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder, gone after the tests of the file. */
export function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "headstart-verify-test-")));
  folders.push(made);
  return made;
}

/** A fixture as a project of its own, with this repository's packages installed. */
export function fixture(name: string): string {
  const project = join(folder(), name);
  cpSync(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)), project, { recursive: true });
  symlinkSync(
    fileURLToPath(new URL("../../../node_modules", import.meta.url)),
    join(project, "node_modules"),
  );
  return project;
}

/** A site that is rewritten by putting one text in the place of another. */
export function site(project: string, file: string, before: string, after: string): PlannedSite {
  const text = readFileSync(join(project, file), "utf8");
  const start = text.indexOf(before);
  if (start === -1) throw new Error(`${file} does not say ${before}`);
  const stretch = { start, end: start + before.length };
  return {
    file,
    line: lineAt(text, start),
    title: `${before.split("\n", 1)[0] ?? ""} waits needlessly`,
    level: "safe",
    statements: [stretch],
    edits: [{ ...stretch, text: after }],
  };
}

const read = (file: string): string => `readFile(path.join(dir, "${file}"), "utf8")`;

/** Two reads at once. */
export function readsTogether(
  project: string,
  file: string,
  a: string,
  b: string,
  names: readonly [string, string],
): PlannedSite {
  const before = `const ${names[0]} = await ${read(a)};\n  const ${names[1]} = await ${read(b)};`;
  const after = `const [${names.join(", ")}] = await Promise.all([\n    ${read(a)},\n    ${read(b)},\n  ]);`;
  return site(project, file, before, after);
}

/** The rewrites of `readState`, which is right, and `readBoth`, which no test executes. */
export function rightSites(project: string, file: string): PlannedSite[] {
  return [
    readsTogether(project, file, "HEAD", "config.json", ["head", "config"]),
    readsTogether(project, file, "left", "right", ["left", "right"]),
  ];
}

/** A rewrite of `transfer` that mixes up the order. */
export function wrongSite(project: string, file: string): PlannedSite {
  const before = `const debit = await log.add("debit");\n  const credit = await log.add("credit");`;
  const after = `const [debit, credit] = await Promise.all([log.add("debit"), log.add("credit")]);`;
  return site(project, file, before, after);
}

/** Few runs, and nothing shown. */
export function options(
  project: string,
  sites: readonly PlannedSite[],
  more: Partial<VerifyOptions> = {},
): VerifyOptions {
  return {
    tool: "test",
    project,
    sites,
    level: "safe",
    runner: "auto",
    command: null,
    runs: 2,
    warmup: 0,
    latency: [],
    seeds: [],
    fail: false,
    only: null,
    out: join(folder(), "out"),
    resume: false,
    bisect: false,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...more,
  };
}

/** Progress that nobody looks at. */
export const QUIET: Progress = {
  phase: () => undefined,
  ran: () => undefined,
  note: () => undefined,
  end: () => undefined,
};
