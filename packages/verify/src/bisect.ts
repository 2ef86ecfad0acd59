import { failsIn, filesOf, type Judged } from "./judge.js";
import type { Session } from "./session.js";

/**
 * The fewest rewrites that break a test: with delta debugging (Zeller and Hildebrandt, Simplifying and
 * Isolating Failure-Inducing Input, 2002), where it fails when a part of them is applied.
 *
 * @returns the sites to blame; none where the test passes with all of them after all.
 */
export async function bisect(session: Session, test: Judged): Promise<readonly number[]> {
  const { schedule } = test;
  const all = session.versions.sites.map(({ id }) => id);
  const attempts = attemptsFor(test);
  session.progress.phase(
    `which rewrite breaks "${test.name}"`,
    Math.ceil(Math.log2(all.length + 1)) + 1,
  );
  const breaks = async (sites: readonly number[]): Promise<boolean> => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const outcome = await session.run({
        name: `bisect ${test.id} ${sites.join()} ${attempt}`,
        copy: session.lab.rewritten,
        files: filesOf([test]),
        tests: null,
        ...(schedule === undefined ? { mode: "time" } : { mode: "schedule", schedule }),
        delayMs: 0,
        only: new Set(sites),
      });
      if (failsIn(test, outcome)) return true;
    }
    return false;
  };
  // Those that the test executes come first; a process that it starts may execute others.
  const own = test.sites.length > 0 && (await breaks(test.sites)) ? test.sites : all;
  if (own === all && !(await breaks(all))) return [];
  return smallest(own, breaks);
}

/** How often a set has to pass to count as harmless: as a rare failure needs to be seen once. */
function attemptsFor({ counts, schedule }: Judged): number {
  const { passed, failed } = counts.after;
  // A schedule says how much longer things take, not how long: what has never passed under it may do so yet.
  const unseen = schedule === undefined ? 0 : 1;
  if (passed + unseen === 0) return 1;
  return Math.min(10, Math.ceil((3 * (passed + failed + unseen)) / failed));
}

/** The algorithm `ddmin`: a part that breaks, of which no single element can be spared. */
export async function smallest<T>(
  items: readonly T[],
  breaks: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let [current, parts] = [items, 2];
  while (current.length > 1) {
    const found = await reduced(current, parts, breaks);
    if (found !== undefined) {
      parts = found.length < current.length / 2 + 1 ? 2 : Math.max(parts - 1, 2);
      current = found;
    } else if (parts < current.length) parts = Math.min(2 * parts, current.length);
    else break;
  }
  return current;
}

async function reduced<T>(
  items: readonly T[],
  parts: number,
  breaks: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  const size = Math.ceil(items.length / parts);
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => index * size);
  for (const start of starts) {
    const part = items.slice(start, start + size);
    if (await breaks(part)) return part;
  }
  // With two parts, what is left without one is the other.
  if (starts.length <= 2) return undefined;
  for (const start of starts) {
    const rest = [...items.slice(0, start), ...items.slice(start + size)];
    if (await breaks(rest)) return rest;
  }
  return undefined;
}
