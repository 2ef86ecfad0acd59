// Runs each tool in turn, several rounds, and prints medians of CPU seconds and their ratios.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? path.join(here, "../target");
const ROUNDS = 5;
const folders = process.argv.slice(2).map((folder) => path.resolve(folder));

/** CPU seconds, user and system, of a command; bash's `time` counts children too. */
function cpuSeconds(command, args) {
  const run = spawnSync(
    "bash",
    ["-c", 'TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>&1; } 2>&1', "time", command, ...args],
    { encoding: "utf8" },
  );
  const [user, system] = run.stdout.trim().split(" ").map(Number);
  return user + system;
}

const tools = {
  "headstart front end (parse, scopes, lower, resolve)": [
    path.join(target, "release/frontend"),
    folders,
  ],
  "headstart check": [
    process.execPath,
    [
      path.join(here, "../packages/headstart/dist/cli.js"),
      "check",
      ...folders,
      "--include-tests",
      "--deny",
      "none",
    ],
  ],
  "oxlint (default rules)": [path.join(here, "node_modules/.bin/oxlint"), ["--silent", ...folders]],
  "Babel (parse only)": [process.execPath, [path.join(here, "babel.mjs"), ...folders]],
};

const times = Object.fromEntries(Object.keys(tools).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, [command, args]] of Object.entries(tools)) {
    times[name].push(cpuSeconds(command, args));
  }
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const stages = spawnSync(path.join(target, "release/stages"), folders, { encoding: "utf8" });
const texts = stages.stdout
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const lines = texts.reduce((sum, it) => sum + it.lines, 0);
const base = median(times["headstart front end (parse, scopes, lower, resolve)"]);

console.log(`${lines} lines, ${ROUNDS} interleaved rounds, medians of CPU seconds`);
for (const [name, values] of Object.entries(times)) {
  const value = median(values);
  const per100k = (value / (lines / 1e5)).toFixed(3);
  console.log(
    `${name.padEnd(52)} ${value.toFixed(2)} s  ${per100k} s/100k lines  ${(value / base).toFixed(1)}x`,
  );
}
for (const it of texts) {
  console.log(
    `in memory, ${path.basename(it.folder)}: parse ${it.parsePer100k.toFixed(4)}, ` +
      `parse + scopes + lower ${it.parseScopesLowerPer100k.toFixed(4)} s/100k lines`,
  );
}
