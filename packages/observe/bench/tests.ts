// What observing costs the tests of a project, side by side: node --import tsx bench/tests.ts ROUNDS PROJECT COMMAND...
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { sourcesOf } from "@headstart/verify/sources";

import { buildObserver } from "../scripts/build.mjs";
import { withObservation } from "../src/instrument.js";

const [rounds = "9", given = ".", ...command] = process.argv.slice(2);
const [program = "npm", ...rest] = command.length === 0 ? ["npm", "test"] : command;
const folder = mkdtempSync(join(tmpdir(), "headstart-observe-cost-"));
const [plain, observed] = [join(folder, "plain"), join(folder, "observed")];
for (const copy of [plain, observed]) cpSync(resolve(given), copy, { recursive: true });
await buildObserver(folder);
let first = 0;
for (const [file, text] of await sourcesOf(observed)) {
  const made = withObservation(file, text, first);
  first += made.awaits.length;
  writeFileSync(join(observed, file), made.text);
}

/** Seconds that a run takes. */
function run(cwd: string): number {
  const told = { records: join(folder, "records"), project: cwd };
  const own =
    cwd === plain
      ? {}
      : {
          NODE_OPTIONS: `--require ${JSON.stringify(join(folder, "observe-setup.cjs"))}`,
          HEADSTART_OBSERVE: JSON.stringify(told),
        };
  const start = performance.now();
  const { status } = spawnSync(program, rest, {
    cwd,
    env: { ...process.env, ...own },
    stdio: "ignore",
  });
  if (status !== 0) throw new Error(`${program} ended with ${status ?? "a signal"} in ${cwd}`);
  return (performance.now() - start) / 1000;
}

const ratios: number[] = [];
run(plain);
run(observed);
for (let round = 0; round < Number(rounds); round++) {
  const times =
    round % 2 === 0 ? [run(plain), run(observed)] : [run(observed), run(plain)].reverse();
  ratios.push((times[1] ?? 0) / (times[0] ?? 1));
}
ratios.sort((one, other) => one - other);
const median = ratios[Math.floor(ratios.length / 2)] ?? 0;
process.stdout.write(
  `time with observing: ${median.toFixed(3)} of that without (${ratios.map((it) => it.toFixed(2)).join(", ")}), ${first} awaits\n`,
);
rmSync(folder, { recursive: true, force: true });
