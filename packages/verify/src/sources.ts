import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";

import { list } from "./copies.js";

/** The most that is read of a project's other files: more of it runs under no schedule. */
const MOST_SOURCES = 4000;
const LONGEST_SOURCE = 500_000;

/** The files of a project in which something may be awaited, `most` of them. */
export async function sourcesOf(
  project: string,
  most = MOST_SOURCES,
): Promise<Map<string, string>> {
  const { entries } = await list({ root: project, project, without: [] });
  const files = entries.filter(({ kind, path, size }) => {
    return kind === "file" && size < LONGEST_SOURCE && /(?<!\.d)\.[cm]?[jt]sx?$/.test(path);
  });
  const sources = new Map<string, string>();
  for (const { path } of files.slice(0, most)) {
    const text = await readFile(join(project, path), "utf8");
    if (/\bawait\b/.test(text)) sources.set(path.split(sep).join("/"), text);
  }
  return sources;
}
