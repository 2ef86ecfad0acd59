/** Sizes of the programs, minified and compressed, against the async source. */
import { gzipSync } from "node:zlib";
import { transformSync } from "esbuild";
import { programs } from "./programs/inputs.mjs";
import { perhapsAsync } from "./paper-scheme.mjs";
import { generate } from "./generate.mjs";
import { allVariants } from "./variants.mjs";
import { readProgram } from "./workspace.mjs";

/** Bytes of a text, minified and compressed; `loader`: its language, as esbuild names it. */
export function sizes(code, loader = "js") {
  const options = { minify: true, format: "esm", target: "esnext", loader };
  const minified = transformSync(code, options).code;
  return { minified: minified.length, gzip: gzipSync(minified, { level: 9 }).length };
}

/** By program and variant: bytes minified and gzipped over those of the async variant, or a fault. */
export async function measureSizes() {
  const variants = await allVariants();
  const rows = [];
  for (const program of Object.keys(programs)) rows.push(await measureSize(program, variants));
  return rows;
}

async function measureSize(program, variants) {
  const source = readProgram(program);
  const async = variants.find(({ id }) => id === "async");
  const base = sizes(await async.build(source, { needed: false }));
  const cells = {};
  for (const variant of variants) {
    try {
      const { minified, gzip } = sizes(await variant.build(source, { needed: false }));
      cells[variant.id] = { minified: minified / base.minified, gzip: gzip / base.gzip };
    } catch (error) {
      cells[variant.id] = { fault: error.message.split("\n")[0] };
    }
  }
  return { program, cells };
}

/** How many functions the paper's scheme converts, and why it leaves the others. */
export function paperCoverage() {
  return Object.keys(programs).map((program) => {
    const { functions } = perhapsAsync(generate(readProgram(program), { shape: "directive" }));
    const left = functions.filter((it) => !it.converted).map((it) => it.reason);
    return {
      program,
      functions: functions.length,
      converted: functions.length - left.length,
      left,
    };
  });
}
