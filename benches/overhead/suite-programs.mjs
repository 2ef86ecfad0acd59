/** The seven programs, with awaits that nothing needs and with awaits that are all needed. */
import { programs } from "./programs/inputs.mjs";
import { race, ratio } from "./race.mjs";
import { allVariants } from "./variants.mjs";
import { readProgram, write } from "./workspace.mjs";

/**
 * Measures all programs under one Node.
 *
 * @returns {Promise<object[]>} one row for each program and mode: `cells` has, by variant, the ratio to
 *   the variant `base` or a fault
 */
export async function measurePrograms(options) {
  const rows = [];
  for (const name of Object.keys(programs)) {
    for (const needed of [false, true]) rows.push(await measureProgram(name, needed, options));
  }
  return rows;
}

async function measureProgram(name, needed, options) {
  const variants = (await allVariants()).filter((it) => !(needed && it.onlyNotNeeded));
  const { bench: input, expected } = programs[name];
  const label = `${name}-${needed ? "needed" : "not-needed"}`;
  const entries = variants.map((variant) => ({
    id: variant.id,
    job: async () => {
      const code = await variant.build(readProgram(name), { needed });
      const module = write("bench", `${label}-${variant.id}.mjs`, code);
      return { module, input, expected: expected(input) };
    },
  }));
  options.progress(label);
  const results = await race(entries, { ...options, name: label });
  const base = needed ? "async" : "sync";
  const cells = variants.map(({ id }) => [id, ratio(results.get(id), results.get(base))]);
  const microseconds = Math.min(...(results.get(base).samples ?? [NaN])) / 1000;
  return { program: name, needed, base, microseconds, cells: Object.fromEntries(cells) };
}
