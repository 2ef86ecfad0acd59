// What an await costs with the gate of atomic blocks, and with libraries for the same, as ratios to a native one:
// node benches/atomic/bench.mjs [NODE…]
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const { optimize } = await import("headstart");

const here = fileURLToPath(new URL(".", import.meta.url));
const TURNS = 7;
const ROUNDS = 5;
const AGAINST_NATIVE = [
  "compiled",
  "compiled, in a block",
  "generators",
  "p-limit(1)",
  "async-mutex",
  "effection",
  "Effect",
];

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const source = readFileSync(`${here}programs.mjs`, "utf8");
const folder = `${here}.made`;
mkdirSync(folder, { recursive: true });
const { code } = optimize(source, { atomic: true, functions: "directives", file: "programs.mjs" });
writeFileSync(`${folder}/programs.mjs`, code);
const fused = optimize(source, { atomic: true, ticks: "exact", file: "programs.mjs" });
writeFileSync(`${folder}/fused.mjs`, fused.code);

function measure(node, name) {
  const out = execFileSync(node, [`${here}worker.mjs`, name, folder, String(ROUNDS)]);
  return median(JSON.parse(out));
}

/** The median of ratios of runs that stand next to one another. */
function ratio(node, name, base) {
  const ratios = [];
  for (let turn = 0; turn < TURNS; turn += 1)
    ratios.push(measure(node, name) / measure(node, base));
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

for (const node of process.argv.length > 2 ? process.argv.slice(2) : [process.execPath]) {
  console.log(execFileSync(node, ["--version"], { encoding: "utf8" }).trim());
  for (const name of AGAINST_NATIVE) console.log(`  ${name}: ${ratio(node, name, "native")}`);
  console.log(`  fib(20), compiled: ${ratio(node, "fib compiled", "fib native")}`);
  console.log(
    `  a block, fused: ${ratio(node, "block, fused", "block, not fused")} of one that is not`,
  );
  console.log(`  a block, fused: ${ratio(node, "block, fused", "block, as it is")} of the source`);
}
