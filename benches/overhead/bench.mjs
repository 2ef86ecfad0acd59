/**
 * `make bench-overhead`: measures everything under the Node that runs this and under the newest LTS,
 * prints Markdown tables, and writes them, the numbers and the charts to target/overhead.
 *
 * Options: `--only programs,streams,chains,sizes`, `--rounds N`, `--quick` (short samples, to try things).
 */
import { execFileSync } from "node:child_process";
import { availableParallelism, cpus } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { drawPrograms } from "./charts.mjs";
import { pinning } from "./contestant.mjs";
import { lts } from "./node-lts.mjs";
import { streams } from "./stream-variants.mjs";
import { quantile } from "./race.mjs";
import { measureChains } from "./suite-chain.mjs";
import { measurePrograms } from "./suite-programs.mjs";
import { measureSizes, paperCoverage } from "./suite-sizes.mjs";
import { measureStreams } from "./suite-streams.mjs";
import * as tables from "./tables.mjs";
import { allVariants } from "./variants.mjs";
import { write } from "./workspace.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "programs,streams,chains,sizes" },
    rounds: { type: "string", default: "11" },
    quick: { type: "boolean", default: false },
  },
});
const parts = values.only.split(",");
const times = values.quick ? { warmMs: 200, sampleMs: 20 } : { warmMs: 1_000, sampleMs: 60 };
const options = {
  ...times,
  rounds: Number(values.rounds),
  progress: (label) => process.stderr.write(`${label}\n`),
};

const variants = await allVariants();
const output = [];
function print(...lines) {
  console.log(lines.join("\n"));
  output.push(...lines);
}

async function measure(node) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const run = { ...options, node };
  const numbers = { version, date: new Date().toISOString() };
  print(`\n## Node ${version}`);
  if (parts.includes("programs")) {
    numbers.programs = await measurePrograms(run);
    for (const needed of [false, true]) {
      const base = needed ? "async" : "sync";
      print(`\n### Awaits ${needed ? "all" : "not"} needed: time / ${base}\n`);
      print(tables.programTable(numbers.programs, variants, needed));
      await drawPrograms(numbers.programs, variants, { needed, node: version });
    }
  }
  if (parts.includes("streams")) {
    numbers.streams = await measureStreams(run);
    for (const size of new Set(numbers.streams.map((it) => it.size))) {
      const rows = numbers.streams.filter((it) => it.size === size);
      print(`\n### Stream cache, reads of ${size} bytes: time / disk read\n`);
      const perByte = rows.map((it) => it.diskPerByte);
      print(`The disk read takes ${quantile(perByte, 0.5).toFixed(2)} ns a byte.\n`);
      print(tables.streamTable(rows, streams));
      print(`\n### The same, time / inlined\n`);
      print(
        tables.streamTable(
          rows.map((it) => ({ ...it, cells: it.inlined })),
          streams,
        ),
      );
    }
  }
  if (parts.includes("chains")) {
    numbers.chains = await measureChains(run);
    print("\n### A chain that never waits: nanoseconds a call\n");
    print(tables.chainTable(numbers.chains, variants));
  }
  return numbers;
}

const nodes = [process.execPath, lts()].filter(Boolean);
print(
  `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0].model}), ` +
    `${pinning}; CPU time, medians (quartiles) of the ratios of ${options.rounds} interleaved rounds`,
);
if (nodes.length === 1) print("No binary of the newest LTS for this platform: one Node only.");
if (!variants.some(({ id }) => id === "headstart")) {
  print("This build of headstart has no `optimize`: its columns are absent.");
}
if (parts.includes("sizes")) {
  print("\n## Sizes: minified / gzip, over those of the async source\n");
  print(tables.sizeTable(await measureSizes(), variants));
  print("\n## Functions that the paper's scheme converts\n");
  print(tables.coverageTable(paperCoverage()));
}
const numbers = [];
for (const node of nodes) {
  numbers.push(await measure(node));
  write("", "results.json", JSON.stringify(numbers, null, 2));
}
console.log(`\nWritten to ${path.dirname(write("", "tables.md", `${output.join("\n")}\n`))}`);
