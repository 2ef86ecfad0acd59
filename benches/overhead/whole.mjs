/**
 * Programs of several files, whole: smarr/are-we-fast-yet, every function made async and every call
 * awaited, through `headstart optimize FOLDER` without a directive, beside the synchronous source.
 *
 *   node benches/overhead/whole.mjs FOLDER [--rounds N] [--quick] [--only bounce,json] [--processes N] [--directives] [--needed always|perhaps]
 *
 * What V8 inlines differs from process to process: with `--processes`, each variant runs in so many, one after the other,
 * and what is printed is the median of the medians of these, and the lowest and the highest.
 * With `--directives`, each function asks for it. With `--needed always`, every function begins with an await of a
 * promise; with `perhaps`, behind a test that holds. What is printed then is the time over that of the async source. FOLDER is `benchmarks/JavaScript` of a checkout. Prints a table for this Node and one for the newest LTS,
 * and the size of all files, minified and compressed, over that of the async ones.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateFiles } from "./generate.mjs";
import { lts } from "./node-lts.mjs";
import { quantile, race, ratio } from "./race.mjs";
import { sizes } from "./suite-sizes.mjs";
import { mean, spread, table } from "./tables.mjs";
import { OUTPUT, write } from "./workspace.mjs";

/** How often the programs run at a time, so that each takes some milliseconds. */
const RUNS = {
  bounce: 20,
  deltablue: 200,
  json: 5,
  list: 20,
  richards: 1,
  storage: 20,
  towers: 10,
};
const CLI = fileURLToPath(new URL("../../packages/headstart/dist/cli.js", import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "11" },
    quick: { type: "boolean", default: false },
    processes: { type: "string", default: "1" },
    directives: { type: "boolean", default: false },
    needed: { type: "string" },
    only: { type: "string", default: Object.keys(RUNS).join(",") },
  },
});
const [source] = positionals;
const isKnown = [undefined, "always", "perhaps"].includes(values.needed);
if (source === undefined || !isKnown) {
  console.error(
    isKnown
      ? "usage: node benches/overhead/whole.mjs FOLDER (benchmarks/JavaScript of are-we-fast-yet)"
      : `--needed is always or perhaps, not ${values.needed}`,
  );
  process.exit(2);
}
const VARIANTS = values.needed ? ["async", "optimized"] : ["sync", "async", "optimized"];
const [BASE] = VARIANTS;
const programs = values.only.split(",");
const times = values.quick ? { warmMs: 200, sampleMs: 20 } : { warmMs: 1_000, sampleMs: 60 };
const options = { ...times, rounds: Number(values.rounds) };

/** What is measured calls the program as somebody would who has it as a dependency. */
const entry = (name) => `const { newInstance } = require("./${name}");
exports.run = async function run(runs) {
  const benchmark = await newInstance();
  return await benchmark.innerBenchmarkLoop(runs);
};
`;

/** Writes the files of all variants; their texts by variant. */
function build() {
  const shared = ["benchmark", "som"];
  const files = [...shared, ...Object.keys(RUNS)];
  const sync = files.map((it) => readFileSync(path.join(source, `${it}.js`), "utf8"));
  const { directives: directive, needed } = values;
  const all = { sync, async: generateFiles(sync, { needed }) };
  const before = directive
    ? { asking: generateFiles(sync, { directive, needed }) }
    : { async: all.async };
  for (const [variant, texts] of Object.entries({ ...all, ...before })) {
    files.forEach((it, at) => write(`whole/${variant}`, `${it}.js`, texts[at]));
    for (const it of Object.keys(RUNS)) write(`whole/${variant}`, `run-${it}.js`, entry(it));
    write(`whole/${variant}`, "package.json", '{ "type": "commonjs" }\n');
  }
  const folder = (name) => path.join(OUTPUT, "whole", name);
  execFileSync(process.execPath, [
    CLI,
    "optimize",
    folder(Object.keys(before)[0]),
    "-o",
    folder("optimized"),
  ]);
  const optimized = files.map((it) =>
    readFileSync(path.join(folder("optimized"), `${it}.js`), "utf8"),
  );
  return { ...all, optimized };
}

async function measure(name, node) {
  const entries = VARIANTS.map((id) => ({
    id,
    job: async () => {
      const module = path.join(OUTPUT, "whole", id, `run-${name}.js`);
      return { module, input: RUNS[name], expected: true };
    },
  }));
  const ratios = VARIANTS.map(() => []);
  for (let process = 0; process < Number(values.processes); process++) {
    const results = await race(entries, { ...options, node, name: `whole-${name}` });
    VARIANTS.forEach((id, at) => ratios[at].push(ratio(results.get(id), results.get(BASE))));
  }
  return ratios.map(middle);
}

/** The median of what several processes gave. */
function middle(cells) {
  const fault = cells.find((it) => it.fault);
  if (fault || cells.length === 1) return fault ?? cells[0];
  const of = (part) =>
    quantile(
      cells.map((it) => it.median),
      part,
    );
  return { median: of(0.5), low: of(0), high: of(1) };
}

async function measureAll(node) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const rows = [];
  for (const name of programs) rows.push([name, await measure(name, node)]);
  const body = rows.map(([name, cells]) => [name, ...cells.map(spread)]);
  const means = VARIANTS.map((_, at) => mean(rows.map(([, cells]) => cells[at])));
  console.log(`\nNode ${version}: time / ${BASE}\n`);
  console.log(table(["program", ...VARIANTS], [...body, ["geometric mean", ...means]]));
}

const texts = build();
for (const node of [process.execPath, lts()].filter(Boolean)) await measureAll(node);
const total = (variant) => {
  const all = texts[variant].map(sizes);
  return ["minified", "gzip"].map((key) => all.reduce((sum, it) => sum + it[key], 0));
};
const [minified, gzip] = total("optimized").map((it, at) => it / total("async")[at]);
console.log(
  `\nSize, minified / gzip, over the async source: ${minified.toFixed(2)} / ${gzip.toFixed(2)}`,
);
