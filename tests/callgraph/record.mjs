// Records the calls that a command, such as a package's tests, executes inside a program:
//
//   node record.mjs --root FOLDER --sources lib,index.js --out FILE -- COMMAND ARGS…
//
// The result has the shape of Jelly's call graphs, with the kind of each edge as its third member.
import { spawnSync } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import Module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

/**
 * @typedef {import("./transform.mjs").Table} Table
 * @typedef {import("./runtime.mjs").Kind} Kind
 * @typedef {[file: string, fn: number, call: number, toFile: string, toFn: number, kind: Kind]} Edge
 * @typedef {{ tables: Record<string, Table>, executed: Record<string, number[]>, edges: Edge[] }} Part
 * @typedef {{ files: string[], functions: Record<number, string>, also: Record<number, string>,
 *   modules: number[], calls: Record<number, string>, callers: Record<number, number>,
 *   executed: number[], call2fun: [number, number, Kind][], fun2fun: [number, number, Kind][] }} Recording
 */

/**
 * One recording of what several processes wrote.
 *
 * @param {Part[]} parts
 * @returns {Recording}
 */
export function merge(parts) {
  /** @type {Recording} */
  const all = {
    files: [],
    functions: {},
    also: {},
    modules: [],
    calls: {},
    callers: {},
    executed: [],
    call2fun: [],
    fun2fun: [],
  };
  /** @type {Map<string, { fn: number, call: number }>} Where the numbers of a file start. */
  const bases = new Map();
  let functions = 0;
  let calls = 0;
  const tables = new Map(parts.flatMap((part) => Object.entries(part.tables)));
  for (const [file, table] of [...tables].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const index = all.files.push(file) - 1;
    const base = { fn: functions, call: calls };
    bases.set(file, base);
    for (const { at, also, module } of table.functions) {
      if (also) all.also[functions] = `${index}:${also}`;
      if (module) all.modules.push(functions);
      all.functions[functions++] = `${index}:${at}`;
    }
    for (const { at, fn } of table.calls) {
      all.callers[calls] = base.fn + fn;
      all.calls[calls++] = `${index}:${at}`;
    }
  }
  const base = (/** @type {string} */ file) =>
    /** @type {{ fn: number, call: number }} */ (bases.get(file));
  const executed = new Set();
  const call2fun = new Map();
  const fun2fun = new Map();
  for (const part of parts) {
    for (const [file, numbers] of Object.entries(part.executed)) {
      for (const number of numbers) executed.add(base(file).call + number);
    }
    for (const [file, fn, call, toFile, toFn, kind] of part.edges) {
      const caller = base(file).fn + fn;
      const callee = base(toFile).fn + toFn;
      fun2fun.set(`${caller} ${callee} ${kind}`, [caller, callee, kind]);
      if (call < 0) continue;
      const from = base(file).call + call;
      call2fun.set(`${from} ${callee} ${kind}`, [from, callee, kind]);
    }
  }
  const order = (/** @type {any[]} */ a, /** @type {any[]} */ b) => a[0] - b[0] || a[1] - b[1];
  all.executed = [...executed].sort((a, b) => a - b);
  all.call2fun = [...call2fun.values()].sort(order);
  all.fun2fun = [...fun2fun.values()].sort(order);
  return all;
}

/**
 * @param {{ root: string, sources: string[], command: string[], env?: NodeJS.ProcessEnv,
 *   stdio?: "inherit" | "ignore" }} options
 */
export function record({ root, sources, command, env = process.env, stdio = "inherit" }) {
  const out = mkdtempSync(join(tmpdir(), "headstart-callgraph-parts-"));
  const hook = pathToFileURL(join(import.meta.dirname, "hook.mjs")).href;
  // Without `registerHooks` a hook sees imported ES modules only, not required ones.
  const asynchronous = process.features.require_module && !("registerHooks" in Module);
  const flags = asynchronous ? "--no-experimental-require-module " : "";
  try {
    const { status } = spawnSync(command[0], command.slice(1), {
      cwd: root,
      stdio,
      env: {
        ...env,
        NODE_OPTIONS: `${env.NODE_OPTIONS ?? ""} ${flags}--import=${hook}`.trim(),
        HEADSTART_CALLGRAPH_OUT: out,
        HEADSTART_CALLGRAPH_ROOT: realpathSync(root),
        HEADSTART_CALLGRAPH_SOURCES: sources.join(","),
      },
    });
    const parts = readdirSync(out).map((name) => JSON.parse(readFileSync(join(out, name), "utf8")));
    return { status, recording: merge(parts) };
  } finally {
    rmSync(out, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: "string", default: "." },
      sources: { type: "string", default: "." },
      out: { type: "string" },
    },
  });
  if (!values.out || positionals.length === 0) {
    console.error(
      "usage: node record.mjs --root FOLDER --sources LIST --out FILE -- COMMAND ARGS…",
    );
    process.exit(2);
  }
  const { root, sources, out } = values;
  const { status, recording } = record({ root, sources: sources.split(","), command: positionals });
  writeFileSync(out, JSON.stringify(recording));
  process.exitCode = status ?? 1;
}
