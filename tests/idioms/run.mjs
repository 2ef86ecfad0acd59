// Runs each idiom before and after the rewrite, against its server. See README.md.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { idioms } from "./idioms.mjs";
import { findMisfits, judge } from "./judge.mjs";
import { generateClients } from "./prisma.mjs";
import { Recorder } from "./record.mjs";
import { printResult, summarize } from "./report.mjs";
import { servers } from "./servers/index.mjs";
import { find } from "./servers/process.mjs";
import { check, compile, copyPrograms, fix } from "./tool.mjs";
import { observe } from "./trial.mjs";

/** @typedef {import("./idioms.mjs").Running} Running */
/** @typedef {import("./report.mjs").Result} Result */
/** @typedef {(name: string) => import("./tool.mjs").Finding[]} FindingsIn */

/** Idioms that share a server, one after the other. */
const GROUP = 12;
/** Groups at a time: most of their time goes by waiting. */
const SIDE_BY_SIDE = 6;

const { values: options, positionals } = parseArgs({
  options: { keep: { type: "boolean" } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(idioms);
const unknown = names.filter((name) => !idioms[name]);
if (unknown.length > 0) throw new Error(`no such idioms: ${unknown.join(", ")}`);
const folder = mkdtempSync(join(tmpdir(), "headstart-idioms-"));
// Servers run as somebody else, and have folders in here.
chmodSync(folder, 0o711);
const before = join(folder, "before");
const after = join(folder, "after");

/** @returns {FindingsIn} */
function preparePrograms() {
  const generated = generateClients(join(folder, "prisma"));
  copyPrograms(before, names, generated);
  copyPrograms(after, names, generated);
  const findings = check(before);
  fix(after);
  compile(before);
  compile(after);
  return findings;
}

/** @param {string} name @param {string} root */
const source = (name, root) => readFileSync(join(root, name, `${name}.ts`), "utf8");

/** @param {string} name @param {import("./tool.mjs").Finding[]} findings @param {Running} server @returns {Promise<Result>} */
async function runIdiom(name, findings, server) {
  const idiom = idioms[name];
  const { kind } = servers[idiom.server];
  const level = [...new Set(findings.map((finding) => finding.level))].join(" and ");
  const [was, is] = [before, after].map((root) => join(root, name, `${name}.js`));
  const first = await observe(name, idiom, was, server);
  const misfits = findMisfits(idiom, first);
  if (misfits.length > 0)
    return { name, verdict: "wrong", level, kind, note: "before the rewrite", wrong: misfits };
  const rewritten = source(name, after);
  if (source(name, before) === rewritten) {
    const reasons = findings.flatMap(({ blockers }) => blockers.map(({ reason }) => reason));
    const verdict = idiom.stays ? "left alone" : "not found";
    return { name, verdict, level, kind, note: idiom.stays ?? reasons.join("; ") };
  }
  const second = await observe(name, idiom, is, server);
  const wrong = judge(idiom, first, second);
  const times = [first, second].map((runs) => runs["all well"].ms.toFixed(0)).join(" → ");
  const verdict = wrong.length === 0 ? "right" : "wrong";
  return { name, verdict, level, kind, note: `${kind}, ${times} ms`, wrong, rewritten };
}

/** @param {string} serverName @param {string[]} group @param {FindingsIn} findings @returns {Promise<Result[]>} */
async function runServer(serverName, group, findings) {
  const { needs, package: packageName, start, kind } = servers[serverName];
  /** @param {import("./report.mjs").Verdict} verdict @param {string} note */
  const all = (verdict, note) =>
    group.map((name) => printResult({ name, verdict, level: "", kind, note }));
  const missing = needs.filter((need) => !find(need)).join(", ");
  if (missing) return all("not run", `no ${missing}: install the Debian package ${packageName}`);
  const recorder = new Recorder();
  try {
    const server = { ...(await start(mkdtempSync(join(folder, serverName)), recorder)), recorder };
    return await runGroup(group, findings, server).finally(server.stop);
  } catch (error) {
    return all("wrong", `${error}`);
  }
}

/** @param {string[]} group @param {FindingsIn} findings @param {Running} server */
async function runGroup(group, findings, server) {
  /** @type {Result[]} */
  const results = [];
  for (const name of group) {
    const result = await runIdiom(name, findings(name), server).catch(
      (error) =>
        /** @type {Result} */ ({ name, verdict: "wrong", level: "", kind: "", note: `${error}` }),
    );
    results.push(printResult(result));
  }
  return results;
}

/** @returns {[string, string[]][]} servers, each with the names of some idioms */
function groups() {
  /** @type {Record<string, string[]>} */
  const byServer = {};
  for (const name of names) (byServer[idioms[name].server] ??= []).push(name);
  return Object.entries(byServer).flatMap(([server, all]) => {
    const starts = all.map((_, index) => index).filter((index) => index % GROUP === 0);
    /** @param {number} start @returns {[string, string[]]} */
    const group = (start) => [server, all.slice(start, start + GROUP)];
    return starts.map(group);
  });
}

/** @param {FindingsIn} findings @returns {Promise<Result[]>} of all groups, some of which run side by side */
async function runGroups(findings) {
  /** @type {Result[]} */
  const results = [];
  const left = groups();
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift())
      results.push(...(await runServer(next[0], next[1], findings)));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return results;
}

try {
  const results = await runGroups(preparePrograms());
  process.exitCode = summarize(results) ? 0 : 1;
} finally {
  if (options.keep) console.log(`kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
