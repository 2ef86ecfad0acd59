// Runs each idiom before and after the rewrite, against its server. See README.md.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { idioms } from "./idioms.mjs";
import { judge } from "./judge.mjs";
import { Recorder } from "./record.mjs";
import { servers } from "./servers/index.mjs";
import { find } from "./servers/process.mjs";
import { check, compile, copyPrograms, fix } from "./tool.mjs";
import { observe } from "./trial.mjs";

/** @typedef {import("./tool.mjs").Finding} Finding */
/** @typedef {"right" | "wrong" | "not found" | "not run"} Verdict */
/** @typedef {{ name: string, verdict: Verdict, isReal: boolean }} Result */

const { values: options, positionals } = parseArgs({
  options: { keep: { type: "boolean" } },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), "headstart-idioms-"));
// Servers run as somebody else, and have folders in here.
chmodSync(folder, 0o711);
const before = join(folder, "before");
const after = join(folder, "after");

/** @returns {(name: string) => Finding[]} */
function preparePrograms() {
  copyPrograms(before);
  copyPrograms(after);
  const findings = check(before);
  fix(after);
  compile(before);
  compile(after);
  return findings;
}

/** @param {string} name @param {Verdict} verdict @param {string} level @param {string} note */
function print(name, verdict, level, note) {
  console.log(`${name.padEnd(26)} ${level.padEnd(12)} ${verdict.padEnd(9)} ${note}`.trimEnd());
}

/** @param {string} name @param {string} root */
const program = (name, root) => readFileSync(join(root, "cases", `${name}.ts`), "utf8");

/** @param {string} name @param {Finding[]} findings @param {import("./idioms.mjs").Running} server */
async function runIdiom(name, findings, server) {
  const idiom = idioms[name];
  const { isReal } = servers[idiom.server];
  const levels = [...new Set(findings.map(({ level }) => level))].join(" and ");
  if (program(name, before) === program(name, after)) {
    print(name, "not found", levels, findings.flatMap(({ blockers }) => blockers).join("; "));
    return { name, verdict: /** @type {const} */ ("not found"), isReal };
  }
  const [was, is] = [before, after].map((root) => join(root, "cases", `${name}.js`));
  const runs = [await observe(name, idiom, was, server), await observe(name, idiom, is, server)];
  const wrong = judge(idiom, runs[0], runs[1]);
  const verdict = wrong.length === 0 ? "right" : "wrong";
  const times = runs.map((run) => run["all well"].ms.toFixed(0)).join(" → ");
  print(name, verdict, levels, `${isReal ? "real server" : "stand-in"}, ${times} ms`);
  for (const line of wrong) console.log(`  ${line}`);
  if (verdict === "wrong") console.log(program(name, after).replace(/^/gm, "  | "));
  return { name, verdict, isReal };
}

/** @param {string} name @param {unknown} error @returns {Result} */
function failed(name, error) {
  print(name, "wrong", "", `${error instanceof Error ? error.message : error}`);
  return { name, verdict: "wrong", isReal: false };
}

/** @param {string} serverName @param {string[]} names @param {(name: string) => Finding[]} findings */
async function runServer(serverName, names, findings) {
  const { needs, package: packageName, start } = servers[serverName];
  const missing = needs.filter((need) => !find(need));
  if (missing.length > 0) {
    const note = `${missing.join(", ")} missing: install the Debian package ${packageName}`;
    for (const name of names) print(name, "not run", "", note);
    return names.map((name) => ({ name, verdict: /** @type {const} */ ("not run"), isReal: false }));
  }
  const recorder = new Recorder();
  const server = { ...(await start(join(folder, serverName), recorder)), recorder };
  /** @type {Result[]} */
  const results = [];
  try {
    for (const name of names)
      results.push(
        await runIdiom(name, findings(name), server).catch((error) => failed(name, error)),
      );
  } finally {
    await server.stop();
  }
  return results;
}

/** @param {Result[]} results @returns {boolean} whether all is well */
function summarize(results) {
  const count = (/** @type {(result: Result) => boolean} */ test) => results.filter(test).length;
  const skipped = results.filter(({ verdict }) => verdict === "not run");
  const found = count(({ verdict }) => verdict === "right" || verdict === "wrong");
  const right = count(({ verdict }) => verdict === "right");
  const real = count(({ verdict, isReal }) => isReal && verdict === "right");
  const names = skipped.map(({ name }) => name).join(", ");
  console.log(
    `idioms: ${found} of ${results.length} found, ${right} right, ${real} against a real server` +
      (names && `; not run: ${names}`),
  );
  return right === results.length;
}

/** @param {string[]} names @returns {Record<string, string[]>} */
function groupByServer(names) {
  /** @type {Record<string, string[]>} */
  const groups = {};
  for (const name of names) (groups[idioms[name].server] ??= []).push(name);
  return groups;
}

/** One server after the other asks its own programs only, so servers are used side by side. */
async function main() {
  const chosen = positionals.length > 0 ? positionals : Object.keys(idioms);
  const findings = preparePrograms();
  const byServer = groupByServer(chosen);
  const results = await Promise.all(
    Object.entries(byServer).map(([server, names]) => runServer(server, names, findings)),
  );
  return summarize(results.flat());
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  if (options.keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
