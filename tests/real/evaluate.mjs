// Evaluates Headstart on checked-out repositories; see README.md.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cli = path.join(root, "packages/headstart/dist/cli.js");
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
const frontend = path.join(target, "release/frontend");
const BIG = 1 << 30;

/** Runs the command; anything but an orderly exit is a crash. */
function headstart(folder, ...args) {
  const run = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: BIG,
  });
  if (run.signal !== null || ![0, 1].includes(run.status)) {
    throw new Error(
      `headstart ${args.join(" ")} in ${folder}: ${run.signal ?? run.status}\n${run.stderr}`,
    );
  }
  return run;
}

function check(folder) {
  const run = headstart(
    folder,
    "check",
    ".",
    "--include-tests",
    "--level",
    "hint",
    "--deny",
    "none",
    "--format",
    "json",
  );
  return JSON.parse(run.stdout);
}

/** Whether TypeScript's parser accepts a file. */
function compilerAccepts(file) {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  return source.parseDiagnostics.length === 0;
}

const notParsed = (report) => report.skipped.filter((it) => it.reason.startsWith("does not parse"));

function evaluate(folder) {
  const report = check(folder);
  const wronglyRejected = notParsed(report)
    .map((it) => it.file)
    .filter((file) => compilerAccepts(path.join(folder, file)));
  const front = JSON.parse(
    execFileSync(frontend, [folder], {
      encoding: "utf8",
      maxBuffer: BIG,
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const imports = Object.values(front.relativeImports).reduce((sum, count) => sum + count, 0);
  const missing = front.relativeImports.missing ?? 0;
  const byLevel = {};
  for (const { level } of report.findings) byLevel[level] = (byLevel[level] ?? 0) + 1;
  return {
    repository: path.basename(folder),
    lines: report.stats.lines,
    files: report.stats.files,
    skipped: report.skipped.length,
    wronglyRejected,
    relativeImports: imports,
    resolvedPercent: Number((100 * (1 - missing / imports)).toFixed(2)),
    findings: byLevel,
    ...fixTwice(folder, report),
  };
}

/** Fixes a copy, and fixes it again. */
function fixTwice(folder, before) {
  const copy = mkdtempSync(path.join(tmpdir(), "headstart-real-"));
  try {
    cpSync(folder, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !/[/\\](\.git|node_modules)$/.test(source),
    });
    const fix = () => headstart(copy, "fix", ".", "--include-tests", "--level", "likely").stdout;
    const first = fix();
    const after = check(copy);
    const second = fix();
    return {
      fixed: first.trim().split("\n").at(-1),
      newParseErrors: notParsed(after).length - notParsed(before).length,
      secondFix: second.trim().split("\n").at(-1),
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

let failed = false;
for (const folder of process.argv.slice(2)) {
  const result = evaluate(path.resolve(folder));
  console.log(JSON.stringify(result));
  failed ||=
    result.wronglyRejected.length > 0 ||
    result.resolvedPercent <= 99 ||
    result.newParseErrors > 0 ||
    !result.secondFix.startsWith("0 places");
}
process.exitCode = failed ? 1 : 0;
