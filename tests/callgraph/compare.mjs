// Runs Headstart and Jelly on the packages of packages.txt and prints how much of the calls that
// the packages' tests execute each one knows, how precise it is, and what it costs:
//
//   node compare.mjs [--cache FOLDER] [--tools headstart,jelly] [--only NAME,…] [--record] [--runs 3]
//
// measure.mjs says what recall and precision are. Both tools get the same files, the package's own
// sources, and may not look at dependencies. Their runs alternate; the median counts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { measure } from "./measure.mjs";
import { record } from "./record.mjs";

/**
 * @typedef {import("./measure.mjs").Graph} Graph
 * @typedef {import("./measure.mjs").Share} Share
 * @typedef {import("./record.mjs").Recording} Recording
 * @typedef {{ name: string, repository: string, commit: string, sources: string[], command: string }}
 *   Package
 * @typedef {{ seconds: number, megabytes: number, graph: Graph }} Run
 * @typedef {(root: string, files: string[], out: string) => string[]} Command
 */

const CLI = join(import.meta.dirname, "../../packages/headstart/dist/cli.js");

const { values: options } = parseArgs({
  options: {
    cache: {
      type: "string",
      default: process.env.HEADSTART_CALLGRAPH_CACHE ?? join(tmpdir(), "headstart-callgraph"),
    },
    tools: { type: "string", default: "headstart,jelly" },
    only: { type: "string" },
    record: { type: "boolean", default: false },
    runs: { type: "string", default: "3" },
    jelly: { type: "string", default: process.env.HEADSTART_JELLY ?? "jelly" },
  },
});

/** Headstart prints its graph, Jelly writes a file. @type {Record<string, Command>} */
const TOOLS = {
  headstart: (_, files) => [
    process.execPath,
    CLI,
    "callgraph",
    "--format",
    "json",
    "--include-tests",
    ...files,
  ],
  jelly: (root, files, out) => [
    ...options.jelly.split(" "),
    ...["--ignore-dependencies", "--basedir", root, "--callgraph-json", out],
    ...files,
  ],
};

/** @returns {Package[]} */
function packages() {
  const lines = readFileSync(join(import.meta.dirname, "packages.txt"), "utf8").split("\n");
  return lines
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      // The command may contain the separator.
      const [name, repository, commit, sources, ...command] = line.split("|");
      return {
        name: name.trim(),
        repository: repository.trim(),
        commit: commit.trim(),
        sources: sources.trim().split(","),
        command: command.join("|").trim(),
      };
    });
}

/**
 * The JavaScript files below a path of a package, sorted.
 *
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(root, path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .flatMap((entry) => {
      if (entry.isDirectory()) {
        return entry.name === "node_modules" ? [] : filesBelow(root, join(path, entry.name));
      }
      return /\.[cm]?js$/.test(entry.name) ? [join(path, entry.name)] : [];
    })
    .sort();
}

/**
 * @param {Package} pack
 * @param {string} root
 * @returns {Recording}
 */
function recordingOf({ name, commit, sources, command }, root) {
  const folder = join(options.cache, "recordings");
  const file = join(folder, `${name}-${commit.slice(0, 12)}.json`);
  if (options.record || !existsSync(file)) {
    console.error(`${name}: recording its tests`);
    const { status, recording } = record({
      root,
      sources,
      command: ["timeout", "900", "sh", "-c", command],
      stdio: "ignore",
    });
    if (status !== 0) console.error(`${name}: its tests ended with status ${status}`);
    if (recording.call2fun.length === 0) throw new Error("no call was recorded");
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(recording));
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * @param {string} tool
 * @param {string} root
 * @param {string[]} files
 * @returns {Run}
 */
function run(tool, root, files) {
  const folder = mkdtempSync(join(tmpdir(), "headstart-compare-"));
  try {
    const out = join(folder, "graph.json");
    const usage = join(folder, "usage");
    const command = TOOLS[tool](root, files, out);
    const result = spawnSync("/usr/bin/time", ["-f", "%U %S %M", "-o", usage, ...command], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 30,
    });
    if (result.error) throw new Error(`/usr/bin/time: ${result.error.message}`);
    if (result.status !== 0) {
      throw new Error(`${tool} ended with status ${result.status}: ${result.stderr.trim()}`);
    }
    const graph = JSON.parse(existsSync(out) ? readFileSync(out, "utf8") : result.stdout);
    graph.files = graph.files.map((/** @type {string} */ file) =>
      isAbsolute(file) ? relative(root, file) : file,
    );
    const [user, system, kilobytes] = readFileSync(usage, "utf8").trim().split(" ").map(Number);
    return { seconds: user + system, megabytes: kilobytes / 1024, graph };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {Package} pack @param {unknown} error */
function complain({ name }, error) {
  console.error(`${name}: ${/** @type {Error} */ (error).message.split("\n")[0]}`);
  process.exitCode = 1;
}

/**
 * The recording of a package, and the runs of each tool that could analyse it.
 *
 * @param {Package} pack
 */
function study(pack) {
  const root = join(options.cache, "sources", pack.name);
  if (!existsSync(root)) throw new Error(`put ${pack.repository} at ${pack.commit} into ${root}`);
  const recording = recordingOf(pack, root);
  const files = pack.sources.flatMap((source) => filesBelow(root, source));
  /** @type {Map<string, Run[]>} */
  const runs = new Map(tools.map((tool) => [tool, []]));
  for (let turn = 0; turn < Number(options.runs); turn++) {
    for (const [tool, done] of runs) {
      try {
        done.push(run(tool, root, files));
      } catch (error) {
        complain(pack, error);
        runs.delete(tool);
      }
    }
  }
  return { recording, runs };
}

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** @param {Share} share */
function percent({ hit, of }) {
  return `${of === 0 ? "-" : ((100 * hit) / of).toFixed(1)} (${hit}/${of})`;
}

const SHARES = /** @type {const} */ (["direct", "functions", "precision", "precisionDirect"]);
const HEADINGS = [
  "package",
  "tool",
  "recall direct %",
  "recall fun-fun %",
  "precision %",
  "precision at direct %",
  "edges",
  "CPU s",
  "peak MB",
];

const tools = options.tools.split(",");
const only = options.only?.split(",");
const rows = [HEADINGS];
/** @type {Map<string, { shares: Record<string, Share>, edges: number, seconds: number, megabytes: number }>} */
const totals = new Map();
for (const pack of packages()) {
  if (only && !only.includes(pack.name)) continue;
  /** @type {ReturnType<typeof study>} */
  let studied;
  try {
    studied = study(pack);
  } catch (error) {
    complain(pack, error);
    continue;
  }
  const { recording, runs } = studied;
  for (const [tool, done] of runs) {
    const measures = measure(recording, done[0].graph);
    const seconds = median(done.map((one) => one.seconds));
    const megabytes = median(done.map((one) => one.megabytes));
    const shares = SHARES.map((key) => percent(measures[key]));
    const cost = [String(measures.edges), seconds.toFixed(2), megabytes.toFixed(0)];
    rows.push([pack.name, tool, ...shares, ...cost]);
    const total = totals.get(tool) ?? { shares: {}, edges: 0, seconds: 0, megabytes: 0 };
    totals.set(tool, total);
    for (const key of SHARES) {
      const { hit, of } = total.shares[key] ?? { hit: 0, of: 0 };
      total.shares[key] = { hit: hit + measures[key].hit, of: of + measures[key].of };
    }
    total.edges += measures.edges;
    total.seconds += seconds;
    total.megabytes = Math.max(total.megabytes, megabytes);
  }
}
for (const [tool, { shares, edges, seconds, megabytes }] of totals) {
  const cost = [String(edges), seconds.toFixed(2), megabytes.toFixed(0)];
  rows.push(["all", tool, ...SHARES.map((key) => percent(shares[key])), ...cost]);
}
const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
for (const row of rows) {
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
}
