// How many wrong rewrites schedules refute, and how many right ones: node --import tsx test/schedules/refute.ts [SCHEDULES] [NAME]
import assert from "node:assert/strict";

import { verify } from "../../src/index.js";
import { options, QUIET } from "../projects.js";
import { made, type Program } from "./programs.js";
import { RIGHT } from "./right.js";
import { WRONG } from "./wrong.js";

const [count = "50", only] = process.argv.slice(2);
const seeds = Array.from({ length: Number(count) }, (_, index) => index + 1);

/** The seed of the schedule that refutes a rewrite; 0 where none does. */
async function refutedBy(program: Program): Promise<number> {
  const { project, sites } = made(program);
  const result = await verify(options(project, sites, { seeds, fail: true, runs: 1 }), QUIET);
  assert.equal(result.agreement?.affected, 1, `${program.name}: ${JSON.stringify(result.broken)}`);
  const [broken] = result.broken;
  if (broken !== undefined && broken.seed === undefined) {
    throw new Error(`${program.name} fails without a schedule: ${broken.message}`);
  }
  const { tests = 0 } = result.schedules ?? {};
  if (tests === 0) process.stdout.write(`  ${program.name}: no test is steady\n`);
  return broken?.seed ?? 0;
}

for (const [kind, programs] of [
  ["wrong", WRONG],
  ["right", RIGHT],
] as const) {
  let refuted = 0;
  const chosen = programs.filter(({ name }) => only === undefined || name.includes(only));
  for (const program of chosen) {
    const seed = await refutedBy(program);
    if (seed > 0) refuted++;
    process.stdout.write(
      `  ${program.name}: ${seed > 0 ? `refuted by schedule ${seed}` : "not refuted"}\n`,
    );
  }
  process.stdout.write(
    `${refuted} of ${chosen.length} ${kind} rewrites are refuted by ${count} schedules\n`,
  );
}
