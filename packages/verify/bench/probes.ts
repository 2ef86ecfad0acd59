// What the probes of `headstart verify` cost: runs the tests that execute a place which `fix` would
// rewrite in two copies of the project, neither of them rewritten, one of them with probes, in turns.
//
//   npm run bench:probes -- [--runs N] [--level safe|likely] [--only GLOB] [--include-tests] [PROJECT]
//
// Prints the time of each test and how long its process computed meanwhile (medians, ms), and the
// averages with their 95% intervals. Without a project it takes bench/loop.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import type { MeasuredTest } from "@headstart/report";
import picomatch from "picomatch";

import { planSites } from "../../headstart/src/plan.js";
import { list, makeCopy, workspaceOf } from "../src/copies.js";
import { Lab } from "../src/lab.js";
import type { TestRun } from "../src/records.js";
import { chooseRunner, readManifests } from "../src/runners/detect.js";
import { runtimeFile } from "../src/runtime.js";
import { analyse, summarise } from "../src/statistics/index.js";
import { Versions } from "../src/versions.js";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "30" },
    level: { type: "string", default: "safe" },
    only: { type: "string" },
    "include-tests": { type: "boolean", default: false },
  },
});
const project = resolve(positionals[0] ?? here("loop"));
const level = values.level === "likely" ? "likely" : "safe";
const scratch = mkdtempSync(join(tmpdir(), "headstart-probes-"));
process.on("exit", () => {
  rmSync(scratch, { recursive: true, force: true });
});

const { lab, cpuFile } = await prepare();
const tests = await affected();
const ids = new Set(tests.map(({ id }) => id));
const choice = {
  files: [...new Set(tests.map(({ file }) => file))],
  tests: tests.map(({ id, name }) => ({ id, name })),
};
const wall = new Map<string, MeasuredTest>();
const cpu = new Map<string, MeasuredTest>();
for (let round = -3; round < Number(values.runs); round++) {
  const order = round % 2 === 0 ? lab.copies : [...lab.copies].reverse();
  for (const copy of order) {
    const key = copy === lab.original ? "original" : "rewritten";
    const mode = copy === lab.original ? "time" : "probe";
    const outcome = await lab.run(copy, { ...choice, mode, delayMs: 0 });
    const computed = takeCpu();
    // The first runs warm what can be warmed.
    if (round < 0) continue;
    for (const { id, ms, state } of outcome.tests) {
      if (!ids.has(id) || ms === null || state !== "passed") continue;
      add(wall, id, key, ms);
      add(cpu, id, key, computed.get(id) ?? 0);
    }
  }
}
print();

async function prepare() {
  const { sites } = await planSites({
    cwd: project,
    level,
    includeTests: values["include-tests"],
  });
  const numbered = sites.map((site, index) => ({ ...site, id: index + 1 }));
  const files = [...new Set(sites.map(({ file }) => file))];
  const texts = new Map(files.map((file) => [file, readFileSync(join(project, file), "utf8")]));
  const versions = new Versions(numbered, texts);
  const root = await workspaceOf(project, (glob, path) => picomatch.isMatch(path, glob));
  const source = { root, project, without: [] };
  const listing = await list(source);
  const copy = (name: string) =>
    makeCopy("original", source, listing, join(scratch, name, basename(root)));
  const [plain, probed] = [await copy("plain"), await copy("probed")];
  await versions.install(plain, "time");
  await versions.install(probed, "probe");
  const runner = chooseRunner({
    ...(await readManifests(project, root)),
    ...{ runner: "auto", command: null },
  });
  const work = join(scratch, "work");
  mkdirSync(work);
  const cpuFile = join(scratch, "cpu.jsonl");
  process.env["HEADSTART_BENCH_CORE"] = runtimeFile("core.cjs");
  process.env["HEADSTART_BENCH_CPU"] = cpuFile;
  process.env["NODE_OPTIONS"] = `--require ${here("cpu.cjs")}`;
  return {
    lab: new Lab(runner, plain, probed, work, 120_000, new AbortController().signal),
    cpuFile,
  };
}

/** The tests that pass and execute a place. */
async function affected(): Promise<TestRun[]> {
  const isChosen = values.only === undefined ? () => true : picomatch(values.only);
  const all = { files: null, tests: null, mode: "probe", delayMs: 0 } as const;
  const { tests } = await lab.run(lab.rewritten, all);
  takeCpu();
  const found = tests.filter(
    ({ file, state, sites }) => state === "passed" && sites.length > 0 && isChosen(file),
  );
  if (found.length === 0) throw new Error(`no test of ${project} executes a place to rewrite`);
  return found;
}

function takeCpu(): Map<string, number> {
  const lines = readFileSync(cpuFile, "utf8").trim().split("\n");
  rmSync(cpuFile);
  const entries = lines.map((line) => JSON.parse(line) as { id: string; ms: number });
  return new Map(entries.map(({ id, ms }) => [id, ms]));
}

function add(
  to: Map<string, MeasuredTest>,
  id: string,
  key: "original" | "rewritten",
  ms: number,
): void {
  const name = tests.find((test) => test.id === id)?.name ?? id;
  const test = to.get(id) ?? { id, file: "", name, sites: [], original: [], rewritten: [] };
  to.set(id, { ...test, [key]: [...test[key], ms] });
}

function print(): void {
  const rows = [...wall.values()].map(({ id, name, original, rewritten }) => {
    const computed = cpu.get(id);
    return {
      test: name.slice(-50),
      "time, plain": median(original),
      "with probes": median(rewritten),
      "more %": more(original, rewritten),
      "computing, plain": median(computed?.original ?? []),
      "with probes ": median(computed?.rewritten ?? []),
      "more % ": more(computed?.original ?? [], computed?.rewritten ?? []),
    };
  });
  console.log(`${project}: ${values.runs} runs of each, medians in ms`);
  console.table(rows.slice(0, 40));
  for (const [what, measured] of [
    ["time", wall],
    ["computing", cpu],
  ] as const) {
    const { tests, geometricChange, interval, totalChange } = summarise(
      analyse([...measured.values()]),
    );
    const [low = NaN, high = NaN] = interval ?? [];
    const middle = [...measured.values()].map((it) => median(it.rewritten) / median(it.original));
    console.log(
      `${what}: ${tests} tests, ${round(-geometricChange)}% more on average ` +
        `(95% interval ${round(-high)} to ${round(-low)}), ${round(-totalChange)}% more in all; ` +
        `median of the tests' medians ${round(100 * (median(middle) - 1))}%`,
    );
  }
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? NaN;
  return round(sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? NaN)) / 2, 4);
}

function more(plain: readonly number[], probed: readonly number[]): number {
  return round(100 * (median(probed) / median(plain) - 1));
}

function round(number: number, digits = 2): number {
  return Number(number.toFixed(digits));
}
