// Runs programs before and after the optimiser and compares all that can be seen.
import { isDeepStrictEqual } from "node:util";

import { generate, random } from "./generate.mjs";
import { lowered } from "./limits.mjs";
import { BEHAVIOURS, observe } from "./world.mjs";

/** Promises that `return` and `await` take for different things. */
const ODD = ["own", "getter", "constructor", "proxy", "odd"];

/**
 * The sets of behaviours a program is run with: the uniform ones, each site failing, random ones. `odd`:
 * which promises that are not what they seem there are.
 */
export function* scenarios(sites, seed, odd = ODD) {
  const all = BEHAVIOURS.filter((it) => !ODD.includes(it) || odd.includes(it));
  const uniform = (behaviour) => Array.from({ length: sites }, () => behaviour);
  yield uniform("value");
  yield uniform("promise");
  yield uniform("thenable");
  if (odd.length > 0) yield uniform("own");
  if (sites <= 2) {
    for (const first of all) {
      for (const second of sites === 2 ? all : [""]) yield [first, second];
    }
    return;
  }
  for (let site = 0; site < sites; site++) {
    for (const failure of ["reject", "throw", "promise"]) {
      const one = uniform("value");
      one[site] = failure;
      yield one;
    }
    if (odd.length > 0) {
      const one = uniform("value");
      one[site] = odd[(site + seed) % odd.length];
      yield one;
    }
    const awaited = uniform("later");
    awaited[site] = "reject";
    yield awaited;
  }
  const { pick } = random(seed + 1);
  for (let i = 0; i < 8; i++) yield Array.from({ length: sites }, () => pick(all));
}

/**
 * The scenarios of a program; in every fourth, the first is run with a `then` on primitive values, too. `share`: how many of
 * those behind the uniform ones, each of which is as likely as another.
 */
function* runsOf(sites, seed, share) {
  let first = seed % 4 === 0;
  let uniform = 4;
  const { chance } = random(seed + 3);
  for (const behaviours of scenarios(sites, seed)) {
    if (--uniform < 0 && share < 1 && !chance(share)) continue;
    yield { behaviours, primitives: false };
    if (first) yield { behaviours, primitives: true };
    first = false;
  }
}

/** How deep the functions of a program call themselves, and what the limits are lowered to, if they are. */
export function reach(seed) {
  const { below, chance, pick } = random(seed + 2);
  const depth = chance(0.1) ? 20 : pick([2, 2, 3, 3, 5, 8]);
  const rounds = pick([1, 2, 4]);
  return { depth, limits: chance(0.25) ? undefined : { depth: below(4), rounds } };
}

/** The text of a program's file. */
export function textOf({ params, body, text }, directive) {
  if (text !== undefined) return `"use strict";\n${text}`;
  return `"use strict";\nconst around = "around";\nasync function main(${params}) {\n${directive ? '"perhaps async";\n' : ""}${body}\n}\nreturn main;\n`;
}

/**
 * Compares one program with what `optimize` makes of it. `ticks`: the order of other microtasks counts,
 * too. `depth` and `limits` are those of `reach`, where they are not given. `most`: how many scenarios
 * are enough; `share`: how many of each program's are run.
 */
export async function differ(seed, optimize, options = {}) {
  const { ticks = false, program = generate(seed), most = Infinity, share = 1 } = options;
  const { depth, limits } = { ...reach(seed), ...options };
  const optimized = await optimize(textOf(program, true));
  const result = { seed, program, converted: false, runs: 0, mismatch: undefined };
  if (optimized.error) return { ...result, mismatch: { reason: optimized.error } };
  const { functions } = optimized;
  result.functions = functions;
  const mistake = functions.find((it) => it.mistake);
  if (mistake) return { ...result, mismatch: { reason: `${mistake.name} does not parse` } };
  const converted = (it) => it.outcome.kind === "converted";
  const main = functions.find((it) => it.name === "main");
  result.converted = program.text === undefined ? converted(main) : functions.some(converted);
  result.reason = main.outcome.reason;
  if (!result.converted) return result;
  const code = limits === undefined ? optimized.code : lowered(optimized.code, limits);
  let before, after;
  try {
    before = new Function("$", textOf(program, false));
    after = new Function("$", code);
  } catch (error) {
    return { ...result, mismatch: { reason: String(error), code } };
  }
  for (const { behaviours, primitives } of runsOf(program.sites, seed, share)) {
    if (result.runs >= 2 * most) break;
    const expected = await observe(before, behaviours, { ticks, depth, primitives });
    // Its other runs would do no better.
    if (expected.isEndless) break;
    const actual = await observe(after, behaviours, { ticks, depth, primitives });
    result.runs += 2;
    if (!isDeepStrictEqual(actual, expected)) {
      return { ...result, mismatch: { depth, limits, behaviours, expected, actual, code } };
    }
  }
  return result;
}
