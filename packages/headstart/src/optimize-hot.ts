import { groupBy } from "@headstart/verify/group";

import type { FunctionInFile } from "./optimize-profile.js";

/** How much of the time of async functions those have together that count as hot. */
export const HOT_SHARE = 0.99;

/**
 * Up to how many bytes of text a function is called short. V8 inlines functions of up to 460 bytes of bytecode,
 * and may count their time as that of who calls them; a function of this length has about as many.
 */
export const SHORT = 500;

/** The functions that are worth converting. */
export interface Hot {
  /** The fewest that have {@link HOT_SHARE} of the time, the longest first. */
  readonly hot: readonly FunctionInFile[];
  /** Short ones that these call, by their names, and that such call. */
  readonly called: readonly FunctionInFile[];
}

/** Chooses the functions that are worth converting, by how long each ran. */
export function chooseHot(
  functions: readonly FunctionInFile[],
  timeOf: (it: FunctionInFile) => number,
): Hot {
  const timed = functions
    .map((it) => ({ it, time: timeOf(it) }))
    .filter(({ time }) => time > 0)
    .sort((a, b) => b.time - a.time);
  let left = HOT_SHARE * timed.reduce((sum, { time }) => sum + time, 0);
  let least = Infinity;
  for (const { time } of timed) {
    if (left <= 0) break;
    left -= time;
    least = time;
  }
  // Those that ran as long as the last one have the same right.
  const hot = timed.filter(({ time }) => time >= least).map(({ it }) => it);
  return { hot, called: shortCallees(hot, functions) };
}

function shortCallees(
  hot: readonly FunctionInFile[],
  functions: readonly FunctionInFile[],
): FunctionInFile[] {
  const byName = groupBy(functions, (it) => it.function.name.replace(/^#/, ""));
  const seen = new Set(hot);
  // It grows while it is gone over.
  for (const { function: caller } of seen) {
    for (const callee of caller.callees.flatMap((name) => byName.get(name) ?? [])) {
      if (callee.function.length <= SHORT) seen.add(callee);
    }
  }
  return [...seen].slice(hot.length);
}
