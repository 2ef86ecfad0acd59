import type { Operation, Span, Timeline } from "@headstart/report";

import type { OperationRun, TestRun } from "./records.js";
import type { Session } from "./session.js";
import type { Choice } from "./runners/runner.js";

/**
 * When the operations of each site were under way, in both copies, in a test that executes it. Runs
 * of their own measure it: no time that is reported has anything to do with them.
 */
export async function overlap(
  session: Session,
  tests: readonly TestRun[],
  choice: Choice,
): Promise<ReadonlyMap<number, Timeline>> {
  const keep = new Set(tests.map(({ id }) => id));
  session.progress.phase("when operations are under way", 2);
  const [original, rewritten] = session.lab.copies;
  const run = { ...choice, keep, mode: "overlap", delayMs: 0 } as const;
  const before = await session.run({ ...run, name: "overlap original", copy: original });
  const after = await session.run({ ...run, name: "overlap rewritten", copy: rewritten });
  const timelines = new Map<number, Timeline>();
  for (const { id: site } of session.versions.sites) {
    for (const { id, name, sites } of tests) {
      if (timelines.has(site) || !sites.includes(site)) continue;
      const operations = session.versions.operations(site) ?? [];
      const first = spansOf(before.operations[id] ?? [], site, operations);
      const second = spansOf(after.operations[id] ?? [], site, operations);
      if (isWhole(first, second, measurable(operations)))
        timelines.set(site, { test: name, original: first, rewritten: second });
    }
  }
  return timelines;
}

/** Whether both show the same operations, and more than one: a test may fail on its way. */
function isWhole(a: readonly Span[], b: readonly Span[], number: number): boolean {
  return a.length === b.length && a.length === number && number > 1;
}

/** How many operations can be measured in both copies. */
function measurable(operations: readonly Operation[]): number {
  return operations.filter(({ lost }) => lost !== true).length;
}

/** The first time that all operations of a site were done one by one, from the start of the first. */
function spansOf(
  runs: readonly OperationRun[],
  site: number,
  operations: readonly Operation[],
): Span[] {
  const own = runs.filter((run) => run.site === site).sort((a, b) => a.start - b.start);
  let group: OperationRun[] = [];
  for (const run of own) {
    // One that is there already is that of the next time.
    if (group.some(({ op }) => op === run.op)) group = [];
    group.push(run);
    if (group.length === measurable(operations)) break;
  }
  const zero = Math.min(...group.map(({ start }) => start));
  return group
    .sort((a, b) => a.op - b.op)
    .map(({ op, start, end }) => ({
      label: operations[op]?.label ?? "",
      startMs: start - zero,
      endMs: end - zero,
    }));
}
