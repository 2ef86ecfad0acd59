/** A stretch of a text, in UTF-16 units, and what takes its place. */
export interface Edit {
  readonly start: number;
  /** The first place that stays. */
  readonly end: number;
  readonly text: string;
}

/**
 * Carries edits out that do not overlap, in whatever order they come. What several insert at one place
 * with the same text, as a function at the end of the file that their rewrites call, is put there once.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const edit of inOrder(edits)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Edits in the order of the text, shared ones once. Of those at one place, an insertion comes first. */
function inOrder(edits: readonly Edit[]): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  return sorted.filter((edit, index) => !isShared(edit, sorted[index - 1]));
}

function isShared(edit: Edit, before: Edit | undefined): boolean {
  const isInsertion = edit.start === edit.end;
  return (
    isInsertion &&
    before?.end === edit.start &&
    before.start === edit.start &&
    before.text === edit.text
  );
}

/**
 * Where a place of the original stands after the edits. A place that is replaced moves to the end of
 * what replaces it.
 */
export function placeAfter(offset: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const { start, end, text } of inOrder(edits)) {
    if (start > offset || (start === offset && end > start)) break;
    shift += text.length - (Math.min(end, Math.max(offset, start)) - start);
    if (end > offset) break;
  }
  return offset + shift;
}

/**
 * Where a place of the edited text stood before. What an edit has written stood where the edit
 * begins.
 */
export function placeBefore(offset: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const { start, end, text } of inOrder(edits)) {
    const begin = start + shift;
    if (offset < begin) break;
    if (offset < begin + text.length) return start;
    shift += text.length - (end - start);
  }
  return offset - shift;
}

/** The line of a place, counted from one. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1))
    line++;
  return line;
}

/** Where a line begins that is counted from one. */
export function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) {
    const next = text.indexOf("\n", at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  return at;
}
