import assert from "node:assert/strict";
import { it } from "node:test";
import * as activities from "headstart-activities/node";
import type { Task } from "headstart-activities";

import { inside } from "./inside.js";
import { loaded } from "./ways.js";

interface Seen {
  readonly steps: number;
  readonly violations: number;
  readonly identity: number;
}

type Run = (means: object, seed: number, steps: number) => Promise<Seen>;

const STEPS = Number(process.env["STEPS"] ?? 20_000);
const SEED = Number(process.env["SEED"] ?? 1);

/** How the random tasks are made, and what is outside of them. */
export interface Way {
  readonly name: string;
  readonly made: (source: string) => string;
  /** Whether it has loops and generators that wait. */
  readonly isNative: boolean;
  /** The task that a timer's callback belongs to which the task has set. */
  readonly outside?: (task: Task) => Task;
  /** What it has instead of what the package has. */
  readonly instead?: object;
}

/** Runs random tasks in one way. */
export async function randomTasks(way: Way): Promise<Seen> {
  const { name, made, isNative, outside, instead } = way;
  const { run } = await loaded<{ run: Run }>("property", name, made);
  const { native } = await loaded<{ native: unknown }>("native", name, isNative ? made : same);
  const root = activities.current();
  const means = {
    ...activities,
    ...inside,
    outside: outside ?? (() => root),
    ...(isNative ? { native } : {}),
    ...instead,
  };
  return run(means, SEED, STEPS);
}

/** Text that stays as it is: the control, and what generators have no form for. */
export const same = (source: string): string => source;

/** The test of a way. */
export function testRandomTasks(way: Way): void {
  it(`keeps ${String(STEPS)} random steps apart (${way.name})`, async () => {
    const seen = await randomTasks(way);
    console.log(`# ${way.name}, seed ${String(SEED)}: ${JSON.stringify(seen)}`);
    assert.equal(seen.violations, 0);
    assert.equal(seen.identity, 0);
  });
}
