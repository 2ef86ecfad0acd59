/** A chain of calls that never waits: what each level costs, by variant and depth. */
import { quantile, race } from "./race.mjs";
import { allVariants } from "./variants.mjs";
import { write } from "./workspace.mjs";

const DEPTHS = [1, 4, 16];
const CALLS = 20_000;

/** Functions that call one another, `depth` deep, and a loop that calls the first. */
function chainSource(depth) {
  const level = (it) =>
    `function level${it}(x) {\n  return ${it === depth ? "x + 1" : `level${it + 1}(x)`};\n}`;
  const levels = Array.from({ length: depth }, (_, at) => level(at + 1)).join("\n\n");
  return `${levels}

export function run(calls) {
  let sum = 0;
  for (let i = 0; i < calls; i += 1) {
    sum = level1(sum);
  }
  return sum;
}
`;
}

/** One row for each depth: `cells` has, by variant, nanoseconds a call of the chain. */
export async function measureChains(options) {
  const rows = [];
  for (const depth of DEPTHS) rows.push(await measureChain(depth, options));
  return rows;
}

async function measureChain(depth, options) {
  const label = `chain-${depth}`;
  const entries = (await allVariants()).map((variant) => ({
    id: variant.id,
    job: async () => {
      const code = await variant.build(chainSource(depth), { needed: false });
      const module = write("bench", `${label}-${variant.id}.mjs`, code);
      return { module, input: CALLS, expected: CALLS };
    },
  }));
  options.progress(label);
  const results = await race(entries, { ...options, name: label });
  const cells = [...results].map(([id, { samples, fault }]) => {
    const of = (part) => quantile(samples, part) / CALLS;
    return [id, fault ? { fault } : { median: of(0.5), low: of(0.25), high: of(0.75) }];
  });
  return { depth, cells: Object.fromEntries(cells) };
}
