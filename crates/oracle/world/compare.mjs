// Whether a run of the rewritten program is one that the contract allows.

/**
 * @typedef {object} Allowed
 * @property {boolean} nothingFails No operation is made to fail.
 * @property {boolean} isRelaxed The run of the original has fewer failures (S1: when several
 *   operations fail, the error of any of them).
 * @property {{has: (read: string) => boolean}} wasted Reads that the original makes when less fails (S2).
 * @property {{has: (message: string) => boolean}} dropped Errors that nobody handles in the original
 *   when the same operations fail.
 */

/**
 * The first rule that a run breaks when it is held against a run of the original; none where it
 * breaks none. Rules are in the order in which they are looked at, so that the run that gets
 * furthest is the closest one.
 *
 * @param {object} run @param {object} original @param {Allowed} allowed
 * @returns {{stage: number, rule: string, detail: string} | undefined}
 */
export function difference(run, original, allowed) {
  for (const [stage, [rule, broken]] of RULES.entries()) {
    const detail = broken(run, original, allowed);
    if (detail !== undefined) return { stage, rule, detail };
  }
  return undefined;
}

const RULES = [
  ["S1 outcome, S2 writes, output", core],
  ["S2 order of effects", applied],
  ["S2 reads", reads],
  ["S3 unhandled rejection", unhandled],
  ["S2 operation pending at the end", pending],
  ["S2 operation under way during a conflicting one", conflicts],
  ["S2 operation closer to a write that nobody waits for", closer],
  ["S2 something is left open", leaks],
  ["S5 output before what it reports", after],
  ["S5 atomic stretches", positions],
];

function core(run, original) {
  return run.core === original.core ? undefined : `${run.core} instead of ${original.core}`;
}

function applied(run, original, { isRelaxed }) {
  if (isRelaxed || run.applied === original.applied) return undefined;
  return `${run.applied} instead of ${original.applied}`;
}

function reads(run, original, { nothingFails, wasted }) {
  const extra = without(run.reads, original.reads);
  const unexplained = nothingFails ? extra : extra.filter(({ start }) => !wasted.has(start));
  if (unexplained.length > 0) return `read ${unexplained[0].whole}`;
  const missing = nothingFails ? without(original.reads, run.reads) : [];
  return missing.length > 0 ? `not read ${missing[0].whole}` : undefined;
}

/** The elements of one multiset of reads that another does not have. */
function without(left, right) {
  const counts = new Map();
  for (const { whole } of right) counts.set(whole, (counts.get(whole) ?? 0) + 1);
  return left.filter(({ whole }) => {
    const count = counts.get(whole) ?? 0;
    counts.set(whole, count - 1);
    return count <= 0;
  });
}

/** What nobody handles in the original either, when as much fails, is no news whoever's error is thrown. */
function unhandled(run, original, { isRelaxed, dropped }) {
  const isKnown = (message) =>
    original.unhandled.includes(message) || (isRelaxed && dropped.has(message));
  return run.unhandled.find((message) => !isKnown(message));
}

/** A read may go on after the function has failed: `Promise.all` waits for none of the others. */
function pending(run, original, { nothingFails }) {
  const known = new Set(original.pending.map(({ key }) => key));
  return run.pending.find(({ key, isWrite }) => (nothingFails || isWrite) && !known.has(key))?.key;
}

/** A read that is wasted does no harm to what is written, but it has to find what it reads. */
function conflicts(run, original, { nothingFails }) {
  const known = new Set(original.conflicts.map(({ pair }) => pair));
  const matters = ({ isRead, removes }) => nothingFails || !isRead || removes;
  return run.conflicts.find((it) => matters(it) && !known.has(it.pair))?.pair;
}

/**
 * What starts while a write is under way that it conflicts with leaves that write the time that it
 * had: as many operations end in between.
 */
function closer(run, original) {
  const hasTime = ({ pair, isRead, since }) =>
    isRead || original.conflicts.some((it) => it.pair === pair && it.since.length <= since.length);
  return run.conflicts.find((it) => !hasTime(it))?.pair;
}

/** What the original has closed or handed on. */
function leaks(run, original) {
  const known = counts(original.leaks.map((key) => `${key} #`));
  const left = [...counts(run.leaks.map((key) => `${key} #`))];
  return left.find(([key, count]) => (known.get(key) ?? 0) < count)?.[0];
}

/** Where something fails, reads may still be under way when its error is reported. */
function after(run, original, { nothingFails }) {
  for (const [index, before] of original.after.entries()) {
    // Of the same operation at several places, any may have started first.
    const had = counts(run.after[index]);
    const needed = nothingFails ? before : before.filter((key) => !isRead(key, original));
    const missing = [...counts(needed)].find(([name, count]) => (had.get(name) ?? 0) < count)?.[0];
    if (missing !== undefined) return `line ${String(index + 1)} came before the end of ${missing}`;
  }
  return undefined;
}

/** How many of each operation there are. */
function counts(ids) {
  const found = new Map();
  for (const id of ids ?? []) {
    const name = nameOf(id);
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

/** An operation without its number. */
function nameOf(id) {
  return id.slice(0, id.lastIndexOf(" #"));
}

function isRead(id, { reads: known }) {
  const name = nameOf(id);
  return known.some(({ start }) => start.startsWith(`${name} in `));
}

/**
 * The other task goes on at places of the original that are those of the rewritten program. While
 * operations overlap, they are under way together: any place among them will do. Otherwise the
 * same operations have ended, and the same one is under way. What fails makes them incomparable:
 * the rewritten program may have more to wait for.
 */
function positions(run, original, { nothingFails }) {
  if (!nothingFails) return undefined;
  for (const [index, here] of run.positions.entries()) {
    const there = original.positions[index];
    if (there === undefined || !isSamePlace(here, there, run)) {
      return `the other task goes on ${place(here)} rather than ${there ? place(there) : "never"}`;
    }
  }
  return undefined;
}

function isSamePlace(here, there, run) {
  const { overlapped, helpers } = run;
  // Of the same operation at several places, any may have started first: they are counted.
  if (!covers(here.completed, there.completed)) return false;
  const cluster = connected(here.pending, run);
  const reached = [...there.completed, ...there.pending];
  const isBegun =
    here.pending.length === 0 ||
    reached.some((id) => [...cluster].some((it) => nameOf(it) === nameOf(id)));
  // A read that has overlapped another operation may have ended long before it is waited for; so may
  // those that the same function makes behind it.
  const parts = overlapped.flatMap((pair) => pair.split("\n"));
  const early = new Set(parts.map((id) => helpers[id]).filter((it) => it !== undefined));
  const isEarly = (id) => isRead(id, run) && (parts.includes(id) || early.has(helpers[id]));
  const before = here.completed.filter((id) => !cluster.has(id) && !isEarly(id));
  return isBegun && covers(there.completed, before);
}

/** Whether some operations are among others. */
function covers(all, some) {
  const had = counts(all);
  return [...counts(some)].every(([name, count]) => (had.get(name) ?? 0) >= count);
}

/**
 * What overlaps these operations, or what overlaps that. The reads of one function are one operation
 * for who calls it: what has overlapped the first of them is together with the others too.
 */
function connected(ids, run) {
  const groups = [...run.overlapped.map((pair) => pair.split("\n")), ...crossedWhole(run)];
  const found = new Set(ids);
  for (let size = -1; size < found.size;) {
    size = found.size;
    for (const group of groups) {
      if (group.some((id) => found.has(id))) group.forEach((id) => found.add(id));
    }
  }
  return found;
}

/**
 * The reads of each function that has overlapped something, and all of what stands in a `try`, a write of its
 * `finally` too: that is crossed as a whole.
 */
function crossedWhole({ helpers, overlapped, positions, reads }) {
  const parts = new Set(overlapped.flatMap((pair) => pair.split("\n")));
  const groups = new Map();
  const add = (key, id) => groups.set(key, [...(groups.get(key) ?? []), id]);
  for (const [id, helper] of Object.entries(helpers)) {
    if (isRead(id, { reads })) add(helper, id);
  }
  for (const id of new Set(positions.flatMap((it) => [...it.completed, ...it.pending]))) {
    if (helpers[id] === undefined && isMarked(id)) add("", id);
  }
  return [...groups.values()].filter((group) => group.some((id) => parts.has(id)));
}

/** Whether an operation stands in a `try`: its first folder or host says so, `t1/a`, or `tmp/a` with a `finally`. */
function isMarked(id) {
  return /^\S+ t(\d+|mp)\b/.test(id);
}

function place({ completed, pending }) {
  return `after [${completed.join(", ")}] during [${pending.join(", ")}]`;
}
