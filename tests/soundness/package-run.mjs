// Checks the effects of a package against what its own tests make it do:
//
//   node package-run.mjs NAME [--show]
//
// `--show` lets the tests print. The packages are those of tests/callgraph, whose README.md says how to prepare them.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { instrument } from "./expressions.mjs";
import { computeEffects, pair, printed } from "./run.mjs";

const CACHE = process.env.HEADSTART_CALLGRAPH_CACHE ?? join(tmpdir(), "headstart-callgraph");
const LIST = join(import.meta.dirname, "../callgraph/packages.txt");

/** The JavaScript files of a file or folder. @param {string} root @param {string} path @returns {string[]} */
function sourcesOf(root, path) {
  if (!existsSync(join(root, path))) return [];
  if (!statSync(join(root, path)).isDirectory()) return /\.[cm]?js$/.test(path) ? [path] : [];
  return readdirSync(join(root, path)).flatMap((name) => sourcesOf(root, `${path}/${name}`));
}

/** @param {string} name */
function checkPackage(name) {
  const lines = readFileSync(LIST, "utf8")
    .split("\n")
    .map((line) => line.split(" | "));
  const entry = lines.find(([first]) => first === name);
  if (!entry) throw new Error(`no package ${name}`);
  const [, , , sources, ...command] = entry;
  const cached = join(CACHE, "sources", name);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "headstart-soundness-")));
  const root = join(folder, "package");
  try {
    cpSync(cached, root, {
      recursive: true,
      filter: (path) => !path.startsWith(join(cached, "node_modules")) && !/\/\.git$/.test(path),
    });
    symlinkSync(join(cached, "node_modules"), join(root, "node_modules"));
    const bare = join(folder, "bare");
    mkdirSync(bare);
    const { type } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    cpSync(join(root, "package.json"), join(bare, "package.json"));
    /** @type {import("./transform.mjs").Fun[]} */
    const functions = [];
    let base = 0;
    for (const file of sources.split(",").flatMap((source) => sourcesOf(root, source))) {
      cpSync(join(root, file), join(bare, file));
      const esm = file.endsWith(".mjs") || (type === "module" && !file.endsWith(".cjs"));
      const source = readFileSync(join(root, file), "utf8");
      const result = instrument(source, file, esm ? "module" : "script", base);
      for (const [index, fun] of result.functions.entries()) functions[base + index] = fun;
      base += result.functions.length + 1;
      writeFileSync(join(root, file), result.text);
    }
    const out = join(folder, "out");
    mkdirSync(out);
    const paired = pair(functions, computeEffects(bare));
    const job = join(folder, "job.json");
    writeFileSync(job, JSON.stringify({ functions, computed: paired }));
    const hook = pathToFileURL(join(import.meta.dirname, "hook.mjs")).href;
    const { status } = spawnSync("sh", ["-c", command.join(" | ")], {
      cwd: root,
      stdio: process.argv[3] === "--show" ? "inherit" : "ignore",
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=${hook}`,
        HEADSTART_SOUNDNESS_JOB: job,
        HEADSTART_SOUNDNESS_OUT: out,
      },
    });
    const parts = readdirSync(out).map((file) => JSON.parse(readFileSync(join(out, file), "utf8")));
    return { status, functions, paired, parts };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { status, functions, paired, parts } = checkPackage(process.argv[2]);
const total = { entered: 0, accesses: 0, judged: 0 };
/** @type {Map<string, string>} */
const misses = new Map();
for (const part of parts) {
  total.entered += part.counts.entered;
  total.accesses += part.counts.accesses;
  total.judged += part.counts.judged;
  for (const miss of part.misses) {
    const computed = /** @type {import("./match.mjs").Computed} */ (paired[miss.fn]);
    const key = `${miss.fn} ${miss.kind} ${miss.phase} ${miss.access.replace(/^<.*>/, "")}`;
    misses.set(key, printed({ program: "", fun: functions[miss.fn], computed, miss }));
  }
}
for (const text of misses.values()) console.log(text);
const found = paired.filter((computed) => computed !== undefined);
const known = found.filter((computed) => computed?.unknown.length === 0);
console.log(
  `${found.length} functions computed, ${known.length} of them without \`anything\`; ` +
    `${total.judged} accesses were judged`,
);
console.log(
  `tests ended with ${status}; ${total.entered} functions entered, ${total.accesses} accesses, ` +
    `${misses.size} misses`,
);
process.exitCode = misses.size > 0 ? 1 : 0;
