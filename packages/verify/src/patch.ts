import { createTwoFilesPatch } from "diff";

import { applyEdits, type Edit } from "./edits.js";

/** What edits change in a file, as a unified diff. */
export function patchOf(file: string, text: string, edits: readonly Edit[]): string {
  const after = applyEdits(text, edits);
  const names = [`a/${file}`, `b/${file}`] as const;
  const patch = createTwoFilesPatch(...names, text, after, undefined, undefined, { context: 3 });
  return patch.replace(/^=+\n/, "");
}
