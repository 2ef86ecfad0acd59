import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { PlannedSite, Stretch } from "@headstart/verify";

import { check } from "./index.js";
import type { CheckOptions, Finding, Position, Range, Replacement } from "./types.js";

/** What is looked at for a plan. */
export interface PlanOptions extends CheckOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly level: "safe" | "likely";
}

/** What is to be verified. */
export interface Plan {
  readonly sites: readonly PlannedSite[];
  /** How many rewrites there are beside that only `--level likely` would include. */
  readonly likely: number;
}

/** What `fix` would do in a folder, as the edits of single findings. */
export async function planSites(options: PlanOptions): Promise<Plan> {
  // Those of the weaker level, too: what is left out is worth saying.
  const { findings } = await check({ ...options, level: "likely", applied: options.level });
  const applied = findings.filter((finding) => finding.applied === true);
  const texts = new Map<string, string>();
  const sites = applied.flatMap((finding) => {
    const text = texts.get(finding.file) ?? readFileSync(join(options.cwd, finding.file), "utf8");
    texts.set(finding.file, text);
    return siteOf(finding, text) ?? [];
  });
  const isLeftOut = ({ level, replacement }: Finding): boolean =>
    options.level === "safe" && level === "likely" && replacement !== null;
  return { sites, likely: findings.filter(isLeftOut).length };
}

function siteOf(finding: Finding, text: string): PlannedSite | undefined {
  const { file, range, message, level, overlaps, replacement } = finding;
  if (replacement === null || level === "hint") return undefined;
  return {
    file,
    line: range.start.line,
    title: message,
    level,
    statements: [range, ...overlaps].map(stretchesIn(text)),
    edits: editsOf(replacement, text),
  };
}

/** Edits of a finding as stretches of the text of its file. */
export function editsOf(replacement: readonly Replacement[], text: string): PlannedSite["edits"] {
  const stretch = stretchesIn(text);
  return replacement.map((edit) => ({ ...stretch(edit.range), text: edit.text }));
}

function stretchesIn(text: string): (range: Range) => Stretch {
  const starts = lineStarts(text);
  return ({ start, end }) => ({ start: offsetOf(start, starts), end: offsetOf(end, starts) });
}

function offsetOf({ line, column }: Position, starts: readonly number[]): number {
  return (starts[line - 1] ?? 0) + column - 1;
}

function lineStarts(text: string): number[] {
  return [
    0,
    ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length),
  ];
}
