/**
 * Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
 */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(
        at(previous, j) + 1,
        at(current, j - 1) + 1,
        at(previous, j - 1) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforePrevious, j - 2) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}

/**
 * The name among `names` the user most likely meant by `given`, if any is near enough:
 * one it abbreviates, or one at most a third of its letters away.
 */
export function closest(given: string, names: readonly string[]): string | undefined {
  const wanted = normalise(given);
  if (wanted === "") return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const name of names) {
    const candidate = normalise(name);
    const abbreviates = wanted.length >= 2 && candidate.startsWith(wanted);
    const distance = abbreviates ? 0.5 : editDistance(wanted, candidate);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    if (distance <= limit && distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Case, dashes and underscores are the commonest slips, so they count for nothing. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

/**
 * The end of an error about an unknown name: the likely meaning, else all there is.
 */
export function didYouMean(given: string, names: readonly string[]): string {
  const name = closest(given, names);
  return name === undefined ? `expected ${listed(names)}` : `did you mean "${name}"?`;
}

/** `"a", "b" or "c"`. */
export function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}
