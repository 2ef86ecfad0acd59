/** The stream cache in six variants, through every compiler, against reading from the disk alone. */
import { quantile, race, ratio } from "./race.mjs";
import { compilers, streams } from "./stream-variants.mjs";
import { readStream, write } from "./workspace.mjs";

const LENGTH = 16 * 1024 * 1024;

/** What is read: with pieces of 10 bytes what down-levels takes minutes and shows nothing new. */
const SIZES = [
  { size: 100, only: () => true, variants: Object.keys(streams) },
  {
    size: 10,
    only: ({ id }) => !/es2015$|-to-|fast/.test(id),
    variants: ["full", "wrapper", "inlined", "disk"],
  },
];

/**
 * One row for each size and compiler: `cells` has, by variant, the ratio to the disk read, `inlined`
 * that to the variant inlined by hand; `diskPerByte` is in nanoseconds.
 */
export async function measureStreams(options) {
  const line = "The quick brown fox jumps over the lazy dog; 0123456789.\n";
  const file = write("bench", "stream.txt", line.repeat(LENGTH / line.length + 1).slice(0, LENGTH));
  const rows = [];
  for (const { size, only, variants } of SIZES) {
    for (const compiler of (await compilers()).filter(only)) {
      rows.push(await measureCompiler(compiler, { file, size }, variants, options));
    }
  }
  return rows;
}

async function measureCompiler(compiler, input, variants, options) {
  const label = `stream-${input.size}-${compiler.id}`;
  const entries = variants.map((stream) => ({
    id: stream,
    job: async () => {
      // Reading from the disk is the same baseline everywhere: not compiled.
      const source = readStream(stream);
      const code = stream === "disk" ? source : await compiler.build(source);
      const module = write("bench", `${label}-${stream}.mjs`, code);
      return { module, input, expected: LENGTH };
    },
  }));
  options.progress(label);
  const results = await race(entries, { ...options, name: label });
  const against = (base) =>
    Object.fromEntries(variants.map((it) => [it, ratio(results.get(it), results.get(base))]));
  return {
    size: input.size,
    compiler: compiler.title,
    diskPerByte: quantile(results.get("disk").samples, 0.5) / LENGTH,
    cells: against("disk"),
    inlined: against("inlined"),
  };
}
