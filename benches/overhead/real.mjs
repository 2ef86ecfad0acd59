/**
 * Real programs: five published packages with a hot path of async functions, optimised without a directive.
 *
 *   node benches/overhead/real.mjs [--only strtok3,…] [--processes N] [--folder F] [--quick]
 *
 * Installs the packages in the versions that `real-programs.mjs` names, lays each out as a program with what
 * uses it (`real/NAME.mjs`), and optimises that. Each variant runs in processes of its own, in turns, and each process
 * gives the least CPU time of a few samples once it is warm. Printed is the median of the ratios of two processes that ran one
 * after the other, with the quartiles, and how many promises a round makes, for this Node and for the newest LTS.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { lts } from "./node-lts.mjs";
import { quantile } from "./race.mjs";
import { DEPENDENCIES, FURTHER, PROGRAMS } from "./real-programs.mjs";
import { mean, spread, table } from "./tables.mjs";
import { OUTPUT } from "./workspace.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const ALL = { ...PROGRAMS, ...FURTHER };
const VARIANTS = ["async", "optimized"];
const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(PROGRAMS).join(",") },
    processes: { type: "string", default: "7" },
    folder: { type: "string", default: path.join(OUTPUT, "real") },
    cli: { type: "string", default: path.join(here, "../../packages/headstart/dist/cli.js") },
    quick: { type: "boolean", default: false },
  },
});
const folder = path.resolve(values.folder);

/** Installs what the programs are made of, unless that has been done. */
function install() {
  const manifest = JSON.stringify({ private: true, dependencies: DEPENDENCIES }, null, 2);
  const target = path.join(folder, "package.json");
  if (existsSync(target) && readFileSync(target, "utf8") === manifest) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(target, manifest);
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** Lays a program out: the packages' files below it, which name one another by paths. */
function layOut(name, { type, packages, imports = {} }) {
  const root = path.join(folder, "programs", name);
  rmSync(root, { recursive: true, force: true });
  const target = path.join(root, "async");
  for (const [id, below] of Object.entries(packages)) {
    const from = path.join(folder, "node_modules", id, below);
    cpSync(from, path.join(target, id), { recursive: true, filter: isSource(from) });
  }
  for (const file of scripts(target)) writeFileSync(file, relink(file, target, imports));
  cpSync(path.join(here, "real", `${name}.mjs`), path.join(target, "main.mjs"));
  writeFileSync(path.join(target, "package.json"), JSON.stringify({ type }));
  return root;
}

/** What does not belong to a program, copies in other forms among it; a manifest would make its folder a program of its own. */
const OTHERS = /^(node_modules|test|examples|package\.json)$|\.min\.|-es5\.|\.cjs$|\.d\.[cm]?ts$/;

/** Whether a file of a package belongs to the program. */
function isSource(root) {
  return (file) => {
    const parts = path.relative(root, file).split(path.sep);
    return !parts.some((it) => OTHERS.test(it));
  };
}

function scripts(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((it) => it.isFile() && /\.[cm]?js$/.test(it.name));
  return files.map((it) => path.join(it.parentPath ?? it.path, it.name));
}

/** The text of a file, with paths in the place of the names of packages that are part of the program. */
function relink(file, root, imports) {
  let text = readFileSync(file, "utf8");
  for (const [specifier, target] of Object.entries(imports)) {
    const to = path.relative(path.dirname(file), path.join(root, target)).split(path.sep).join("/");
    const name = to.startsWith(".") ? to : `./${to}`;
    for (const quote of ['"', "'"])
      text = text.replaceAll(quote + specifier + quote, quote + name + quote);
  }
  return text;
}

/** Optimises a program; how many of its async functions have been converted, and of how many. */
function optimize(root) {
  const [from, to] = VARIANTS.map((it) => path.join(root, it));
  const args = [values.cli, "optimize", from, "-o", to, "--report"];
  const report = execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  writeFileSync(path.join(root, "report.txt"), report);
  const lines = report.split("\n").filter((it) => /: (converted|kept)/.test(it));
  return `${lines.filter((it) => it.includes(": converted")).length} of ${lines.length}`;
}

/** Runs one variant in a process of its own: what the program gives, and milliseconds of CPU time a round. */
function visit(node, root, variant) {
  const times = values.quick ? ["300", "100"] : ["1000", "200"];
  const args = [path.join(here, "real-worker.mjs"), path.join(root, variant, "main.mjs"), ...times];
  return JSON.parse(execFileSync(node, args, { encoding: "utf8" }));
}

/** Both variants, one after the other; which comes first alternates, since who comes second has another machine. */
function visitBoth(node, root, reversed) {
  const order = reversed ? VARIANTS.toReversed() : VARIANTS;
  const visits = order.map((it) => visit(node, root, it));
  return reversed ? visits.toReversed() : visits;
}

/** The medians of both variants over all processes, and the ratios. */
function measure(node, root) {
  const pairs = [];
  for (let at = 0; at < Number(values.processes); at++) {
    const [before, after] = visitBoth(node, root, at % 2 === 1);
    if (before.result !== after.result) return { fault: `wrong result: ${after.result}` };
    pairs.push([before, after]);
  }
  const ratios = pairs.map(([before, after]) => after.time / before.time);
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part));
  const times = VARIANTS.map((_, at) =>
    quantile(
      pairs.map((it) => it[at].time),
      0.5,
    ).toFixed(3),
  );
  return { times, promises: pairs[0].map((it) => it.promises), median, low, high };
}

/** What something was and has become. */
const change = (pair) => pair?.join(" → ") ?? "–";

function measureAll(node, programs) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const cells = programs.map(({ root }) => measure(node, root));
  const rows = programs.map(({ name, converted }, at) => {
    const [times, promises] = [cells[at].times, cells[at].promises].map(change);
    return [name, ALL[name].kind, converted, promises, times, spread(cells[at])];
  });
  console.log(`\nNode ${version}: CPU time and promises a round, before and after\n`);
  const head = ["program", "kind", "converted", "promises", "ms", "after / before"];
  console.log(table(head, [...rows, ["geometric mean", "", "", "", "", mean(cells)]]));
}

install();
const programs = values.only.split(",").map((name) => {
  const root = layOut(name, ALL[name]);
  return { name, root, converted: optimize(root) };
});
for (const node of [process.execPath, lts()].filter(Boolean)) measureAll(node, programs);
