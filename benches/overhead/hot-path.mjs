/**
 * A real hot path, before and after `optimize`: keyv, a cache with async methods, over a `Map`, where
 * nothing ever has to be waited for. `node benches/overhead/hot-path.mjs [--rounds N]` bundles it with a
 * program that sets and gets values, runs both versions in turns on the machine's Node and the newest
 * LTS, and prints CPU time as ratios. No directive is put anywhere: what is converted is found.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { optimize } from "headstart";
import { lts } from "./node-lts.mjs";
import { pinning } from "./contestant.mjs";
import { race, ratio } from "./race.mjs";
import { write } from "./workspace.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "21" } } });

const KEYS = 100;
const COUNT = 2_000;

const PROGRAM = `
import { Keyv } from "keyv";
const cache = new Keyv();
async function remember(key, value) {
  await cache.set(key, value);
  return await cache.get(key);
}
export async function run(count) {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += await remember("key" + (i % ${KEYS}), i);
  return sum;
}
`;

const { outputFiles } = await build({
  stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
const [{ text: before }] = outputFiles;
const { code: after, functions } = optimize(before, { file: "keyv.mjs" });
const converted = functions.filter(({ outcome }) => outcome.kind === "converted").length;
console.log(`${pinning}; ${functions.length} async functions, ${converted} converted`);

const entries = Object.entries({ before, after }).map(([id, code]) => ({
  id,
  job: async () => ({
    module: write("bench", `keyv-${id}.mjs`, code),
    input: COUNT,
    expected: (COUNT * (COUNT - 1)) / 2,
  }),
}));
for (const node of [process.execPath, lts()].filter(Boolean)) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const options = {
    name: "keyv",
    node,
    rounds: Number(values.rounds),
    warmMs: 1_000,
    sampleMs: 60,
  };
  const results = await race(entries, options);
  const { fault, median, low, high } = ratio(results.get("after"), results.get("before"));
  const range = fault ?? `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
  console.log(`Node ${version}: set and get, time after / before: ${range}`);
}
