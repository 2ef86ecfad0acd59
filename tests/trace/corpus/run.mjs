// Records entries of the corpus and measures what was recorded:
//
//   node run.mjs [--out FOLDER] [--jobs N] [--seconds N] [--node PATH] NAME… | pages | servers
//
// FOLDER/NAME.trace and FOLDER/NAME.json are what comes of an entry; one that is there is not run again.
// More than one at a time is faster, but then they get in one another's way: for figures, one is right.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { entryFolder } from "./lib/cache.mjs";
import { findEntries } from "./lib/entries.mjs";
import { startReady } from "./lib/group.mjs";
import { freePort } from "./lib/port.mjs";

/** The command, as `make build` builds it. */
const CLI = resolve(import.meta.dirname, "../../../packages/headstart/dist/cli.js");
/** How much of a JSON report is read. */
const REPORT_LIMIT = 1 << 28;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: "corpus" },
    jobs: { type: "string", default: "1" },
    seconds: { type: "string", default: "10" },
    node: { type: "string", default: process.execPath },
  },
});
const out = resolve(values.out);
const node = resolve(values.node);

/** Runs the command. @param {string[]} args */
const headstart = (args) =>
  promisify(execFile)(process.execPath, [CLI, ...args], { maxBuffer: REPORT_LIMIT });

/** @param {any} entry @param {string} folder @param {string} trace */
async function recordServer(entry, folder, trace) {
  const beside = await entry.services?.(folder);
  try {
    const port = await freePort();
    const { argv, cwd, env } = entry.command(folder, port);
    const program = [node, ...argv.slice(1)];
    const server = await startReady(
      [process.execPath, CLI, "trace", "record", "--out", trace, "--", ...program],
      { cwd, env: { ...env, ...beside?.env } },
      () => entry.ready(port),
    );
    try {
      await entry.load(port, Number(values.seconds));
    } finally {
      // It asks the server to end, and closes the trace.
      process.kill(server.pid, "SIGTERM");
      await server.ended;
      await server.stop();
    }
  } finally {
    await beside?.stop();
  }
}

/** @param {any} entry @param {string} folder @param {string} trace @param {string} module */
async function recordPage(entry, folder, trace, module) {
  const server = await entry.start(folder);
  try {
    await headstart(["trace", "record", server.url, "--script", module, "--out", trace]);
  } finally {
    await server.stop();
  }
}

/** @param {{ kind: string, name: string, module: string }} found */
async function run({ kind, name, module }) {
  const report = join(out, `${name}.json`);
  if (existsSync(report)) return "is there already";
  const { default: entry } = await import(module);
  const folder = entryFolder(name);
  await entry.install(folder);
  const trace = join(out, `${name}.trace`);
  rmSync(trace, { force: true });
  await (kind === "pages" ? recordPage : recordServer)(entry, folder, trace, module);
  const { stdout } = await headstart(["trace", "report", trace, "--format", "json"]);
  // Whole or not at all: what is half written would be taken for done.
  writeFileSync(`${report}.new`, stdout);
  renameSync(`${report}.new`, report);
  return "recorded";
}

mkdirSync(out, { recursive: true });
const waiting = findEntries(positionals);

async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const start = Date.now();
    try {
      const done = await run(next);
      console.log(`${next.name}: ${done} (${((Date.now() - start) / 1000).toFixed(0)} s)`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${next.name}: FAILED: ${error}`);
    }
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
process.exit();
