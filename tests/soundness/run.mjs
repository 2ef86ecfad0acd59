// Checks computed effects against what programs really read and write:
//
//   node run.mjs --count N --seed S [--keep]
//   node run.mjs FILE…
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { instrument } from "./expressions.mjs";
import { generate } from "./generate.mjs";

/**
 * @typedef {import("./match.mjs").Computed} Computed
 * @typedef {import("./transform.mjs").Fun} Fun
 * @typedef {import("./runtime.mjs").Miss} Miss
 * @typedef {{ name: string, files: Record<string, string> }} Program The first file is run.
 * @typedef {{ programs: number, entered: number, accesses: number, judged: number,
 *   failed: Record<string, string>, misses: { program: string, fun: Fun, computed: Computed, miss: Miss }[], records: string[] }} Result
 *   `records` are lines such as `f before w total`, with the names that Headstart has for functions
 */

const CLI = join(import.meta.dirname, "../../packages/headstart/dist/cli.js");
const BATCH = 200;

/** What Headstart computes for a folder. @param {string} folder @returns {Computed[]} */
export function computeEffects(folder) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [CLI, "effects", ".", "--format", "json"],
    { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30 },
  );
  if (status !== 0) throw new Error(`headstart effects failed: ${stderr}`);
  return JSON.parse(stdout).functions;
}

/** The computed effects of each function, by place. @param {Fun[]} functions @param {Computed[]} computed */
export function pair(functions, computed) {
  const key = (
    /** @type {string} */ file,
    /** @type {string} */ start,
    /** @type {string} */ end,
  ) => `${file} ${start} ${end}`;
  const places = new Map(
    computed.map((c) => {
      const { start, end } = c.range;
      const [from, to] = [start, end].map(({ line, column }) => `${line}:${column}`);
      return [key(c.file, from, to), c];
    }),
  );
  return functions.map((fun) =>
    fun?.starts.map((start) => places.get(key(fun.file, start, fun.end))).find(Boolean),
  );
}

/**
 * Runs programs in a few processes and compares.
 *
 * @param {Program[]} programs
 * @param {string} folder An empty folder.
 * @param {(computed: Computed[]) => Computed[]} [change] Changes what was computed, for tests.
 * @param {boolean} [trace] Whether to return what was recorded.
 * @returns {Promise<Result>}
 */
export async function check(programs, folder, change = (computed) => computed, trace = false) {
  const sources = join(folder, "sources");
  const instrumented = join(folder, "instrumented");
  /** @type {Fun[]} */
  const functions = [];
  let base = 0;
  for (const { name, files } of programs) {
    for (const [file, source] of Object.entries(files)) {
      const path = `${name}/${file}`;
      const type = file.endsWith(".mjs") ? "module" : "script";
      const result = instrument(source, path, type, base);
      for (const [index, fun] of result.functions.entries()) functions[base + index] = fun;
      base += result.functions.length + 1;
      for (const [root, text] of [
        [sources, source],
        [instrumented, result.text],
      ]) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    }
  }
  const paired = pair(functions, change(computeEffects(sources)));
  const size = Math.ceil(programs.length / 2);
  const parts = [programs.slice(0, size), programs.slice(size)].filter((part) => part.length > 0);
  const runs = await Promise.all(
    parts.map((part, index) => {
      const job = join(folder, `job${index}.json`);
      const out = join(folder, `out${index}.json`);
      const list = part.map(({ name, files }) => ({ name, main: Object.keys(files)[0] }));
      writeFileSync(
        job,
        JSON.stringify({
          folder: instrumented,
          out,
          functions,
          computed: paired,
          programs: list,
          trace,
        }),
      );
      return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [join(import.meta.dirname, "child.mjs"), job], {
          stdio: ["ignore", "ignore", "inherit"],
        });
        child.on("error", reject);
        child.on("exit", (code) =>
          code === 0
            ? resolve(JSON.parse(readFileSync(out, "utf8")))
            : reject(new Error(`a run ended with ${code}`)),
        );
      });
    }),
  );
  /** @type {Result} */
  const all = {
    programs: programs.length,
    entered: 0,
    accesses: 0,
    judged: 0,
    failed: {},
    misses: [],
    records: [],
  };
  for (const { results, counts, failed } of runs) {
    all.entered += counts.entered;
    all.accesses += counts.accesses;
    all.judged += counts.judged;
    Object.assign(all.failed, failed);
    for (const { name, misses, records } of results) {
      for (const record of records) {
        const fn = Number(record.slice(0, record.indexOf(" ")));
        if (paired[fn]) all.records.push(paired[fn].name + record.slice(record.indexOf(" ")));
      }
      for (const miss of misses) {
        const computed = /** @type {Computed} */ (paired[miss.fn]);
        all.misses.push({ program: name, fun: functions[miss.fn], computed, miss });
      }
    }
  }
  return all;
}

/** @param {Result["misses"][number]} found */
export function printed({ program, fun, computed, miss }) {
  const sets = (/** @type {Computed["after"]} */ s) =>
    s ? `reads ${s.reads.join(", ") || "-"}; writes ${s.writes.join(", ") || "-"}` : "-";
  const { kind, phase, access } = miss;
  return (
    `MISS ${program && `${program} (seed ${Number(program.slice(1))}): `}${computed.name} ${fun.file.replace(/^p\d+\//, "")}:${fun.starts[0]}\n` +
    `  ${kind === "r" ? "reads" : "writes"} ${access} (${phase})\n` +
    `  before: ${sets(computed.before)}\n  after: ${sets(computed.after)}`
  );
}

/** @param {number} from @param {number} to */
function* batches(from, to) {
  for (let seed = from; seed < to; seed += BATCH) yield seed;
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      keep: { type: "boolean", default: false },
      failed: { type: "boolean", default: false },
    },
  });
  const total = { programs: 0, entered: 0, accesses: 0, judged: 0, misses: 0, failed: 0 };
  const first = Number(values.seed);
  const end = first + Number(values.count);
  for (const seed of batches(first, positionals.length > 0 ? first + 1 : end)) {
    const folder = mkdtempSync(join(tmpdir(), "headstart-soundness-"));
    /** @type {Program[]} */
    const programs = positionals.map((path, index) => ({
      name: `p${index}`,
      files: { [basename(path)]: readFileSync(path, "utf8") },
    }));
    for (let s = seed; positionals.length === 0 && s < Math.min(end, seed + BATCH); s++) {
      programs.push({ name: `p${String(s).padStart(4, "0")}`, files: generate(s) });
    }
    const result = await check(programs, folder);
    for (const found of result.misses) console.log(printed(found));
    total.programs += result.programs;
    total.entered += result.entered;
    total.accesses += result.accesses;
    total.judged += result.judged;
    total.misses += result.misses.length;
    total.failed += Object.keys(result.failed).length;
    if (values.failed) console.log(result.failed);
    if (values.keep) console.log(`kept ${folder}`);
    else rmSync(folder, { recursive: true });
  }
  console.log(
    `${total.failed} programs threw; ${total.judged} accesses were judged, of functions without \`anything\``,
  );
  console.log(
    `${total.programs} programs, ${total.entered} functions entered, ${total.accesses} accesses, ` +
      `${total.misses} misses`,
  );
  process.exitCode = total.misses > 0 ? 1 : 0;
}
