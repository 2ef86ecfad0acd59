// What an operation reads and writes, as strings: `file:a/b`, `tree` (every file), `host:x`,
// `table:t`, `git`, `redis:k`. A file is part of the folders above it.

/** @param {string} left @param {string} right Whether they have a part in common. */
export function overlap(left, right) {
  if (left === right) return true;
  const files = left.startsWith("file:") && right.startsWith("file:");
  if (files) return left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
  const isTree = left === "tree" || right === "tree";
  return isTree && (left.startsWith("file:") || right.startsWith("file:"));
}

/** The file of a path. The other task writes those that it shares with `main` as `o/../path`. */
export function fileOf(path) {
  return path.startsWith("o/../") ? path.slice("o/../".length) : path;
}

/** Whether lists of resources have a part in common. */
export function meet(left, right) {
  return left.some((one) => right.some((other) => overlap(one, other)));
}

/** Whether two operations conflict: one writes what the other reads or writes. */
export function conflict(left, right) {
  return (
    meet(left.writes, right.writes) ||
    meet(left.writes, right.reads) ||
    meet(left.reads, right.writes)
  );
}

/**
 * The Foata normal form of a sequence of writes: two sequences have the same one exactly if one
 * becomes the other by swapping neighbours that have no resource in common. (Diekert and
 * Rozenberg, The Book of Traces, 1995, section 2.3.)
 *
 * @param {{key: string, writes: string[]}[]} writes
 * @returns {string}
 */
export function normalForm(writes) {
  const levels = [];
  writes.forEach((write, index) => {
    let level = 0;
    for (let before = 0; before < index; before += 1) {
      if (meet(writes[before].writes, write.writes)) level = Math.max(level, levels[before] + 1);
    }
    levels.push(level);
  });
  return writes
    .map((write, index) => `${String(levels[index])}:${write.key}`)
    .sort()
    .join("\n");
}
