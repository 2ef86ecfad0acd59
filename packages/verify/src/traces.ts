import { join } from "node:path";

import type { Copy } from "./copies.js";
import type { Versions } from "./versions.js";

const LENGTH = 2000;

/**
 * What a run said, as if it had run in the user's folder: paths are those of the project, and lines
 * of rewritten files are those from which they come.
 */
export function inProject(
  text: string,
  copies: readonly Copy[],
  versions: Versions,
  project: string,
): string {
  let result = text;
  for (const copy of copies) {
    const place = new RegExp(`${escape(copy.project)}/([^\\s:()'"]+)(?::(\\d+))?`, "g");
    result = result.replaceAll(place, (_all, file: string, line: string | undefined) => {
      const path = join(project, file);
      if (line === undefined) return path;
      const number = Number(line);
      return `${path}:${copy.name === "rewritten" ? versions.originalLine(file, number) : number}`;
    });
    result = result.replaceAll(copy.project, project);
  }
  return result.length <= LENGTH ? result : `${result.slice(0, LENGTH)}…`;
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
