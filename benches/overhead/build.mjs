/**
 * What the plugin costs a build:
 *
 *   node benches/overhead/build.mjs [FOLDER ENTRY...] [--runs N] [--bundlers esbuild,rolldown,...] [--options JSON]
 *
 * Builds a project with and without unplugin-headstart, by turns, each time in a process of its own, and prints medians
 * of CPU time, of time and of the most memory, and their ratios (Linux). Without FOLDER, the project is one of some
 * 100,000 lines of packages of npm, which are fetched (`build-project.mjs`). Packages stay outside of the bundle; source maps
 * are made. `--options` are those of the plugin.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { BUILDS, load, PLUGIN } from "./build-bundlers.mjs";
import { madeProject } from "./build-project.mjs";
import { table } from "./tables.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "5" },
    bundlers: { type: "string", default: "esbuild,rolldown,vite,rollup,rspack,webpack" },
    options: { type: "string", default: "{}" },
    // One build, in the process that a run starts: which bundler, and whether with the plugin.
    once: { type: "string" },
    plugged: { type: "boolean", default: false },
  },
});
const [folder, ...named] = positionals;
if (folder !== undefined && named.length === 0) {
  console.error(
    "usage: node benches/overhead/build.mjs [FOLDER ENTRY...] [--runs N] [--bundlers LIST]",
  );
  process.exit(2);
}
const { root, entries } =
  folder === undefined ? madeProject() : { root: resolve(folder), entries: named };
const inputs = entries.map((entry) => join(root, entry));

/** The processes that this one has started and that still run: esbuild is one of its own. */
function children() {
  return readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean),
  );
}

/** CPU time of this process and its children, in milliseconds. */
function cpuTime() {
  const { user, system } = process.cpuUsage();
  const ticks = children().map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /s, "").split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
  // The kernel says ticks of 10 ms.
  return (user + system) / 1000 + 10 * ticks.reduce((sum, it) => sum + it, 0);
}

/** The most memory that this process and its children have had, in MB. */
function peakMemory() {
  const peaks = ["self", ...children()].map((pid) => {
    const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(peak) / 1024;
  });
  return peaks.reduce((sum, it) => sum + it, 0);
}

/** One build; prints how long it took, the plugin's own loading with it. */
async function once(bundler, plugged) {
  // Both have it loaded: what is measured is the plugin.
  await load(bundler === "rspack" ? "@rspack/core" : bundler);
  const [start, before] = [performance.now(), cpuTime()];
  const plugins = [];
  if (plugged) {
    const { default: headstart } = await import(pathToFileURL(join(PLUGIN, `dist/${bundler}.js`)));
    plugins.push(headstart(JSON.parse(values.options)));
  }
  const files = await BUILDS[bundler]({ root, inputs, plugins });
  const time = performance.now() - start;
  console.log(JSON.stringify({ time, cpu: cpuTime() - before, memory: peakMemory(), files }));
  process.exit(0);
}

function run(bundler, plugged) {
  const args = [import.meta.filename, root, ...entries, "--once", bundler];
  if (plugged) args.push("--plugged", "--options", values.options);
  const options = { encoding: "utf8", maxBuffer: 1 << 26, cwd: root };
  return JSON.parse(execFileSync(process.execPath, args, options).trim().split("\n").at(-1));
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** What of the builds is compared, and its unit. */
const MEASURES = { cpu: "ms", time: "ms", memory: "MB" };

function compared(bundler) {
  const runs = { without: [], with: [] };
  for (let count = 0; count < Number(values.runs); count += 1) {
    // The order changes from turn to turn.
    for (const plugged of count % 2 === 0 ? [false, true] : [true, false]) {
      runs[plugged ? "with" : "without"].push(run(bundler, plugged));
    }
  }
  return Object.entries(MEASURES).map(([name, unit]) => {
    const [before, after] = [runs.without, runs.with].map((all) =>
      median(all.map((it) => it[name])),
    );
    return `${(after / before).toFixed(2)} (${before.toFixed(0)}, ${after.toFixed(0)} ${unit})`;
  });
}

if (values.once !== undefined) await once(values.once, values.plugged);

const { files } = run("esbuild", false);
const texts = files.map((file) => readFileSync(join(root, file), "utf8"));
const lines = texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
const async = texts.filter((text) => /\basync\b/.test(text)).length;
console.log(
  `${files.length} scripts, ${lines} lines, ${async} scripts with async functions; medians of ${values.runs} builds\n`,
);
const rows = values.bundlers.split(",").map((it) => [it, ...compared(it)]);
console.log(table(["with the plugin / without it", "CPU time", "time", "memory"], rows));
