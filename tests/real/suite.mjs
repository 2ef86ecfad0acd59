// Runs a package's own tests with its source as it is, and optimised.
//
//   node tests/real/suite.mjs PACKAGE SOURCE -- COMMAND…
//
// PACKAGE is a checkout whose tests pass, SOURCE the folder in it to optimise. In copies, COMMAND is run
// with the source as it is; `plain`, optimised as it is; and `inside`, with the directive in an arrow
// function inside every async function, so that nearly every body is converted and no caller can tell
// (ask.mjs). Prints what became of the functions and how the tests ended; ends with exit code 1 where
// they end otherwise than before.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";

import { optimize } from "headstart";

import { ask } from "./ask.mjs";

const PROGRAM = /(?<!\.d)\.[cm]?[jt]sx?$/;
const TESTS = /(?:^|\/)(?:__tests__|tests?)\/|\.(?:test|spec)\./;

const [folder, source, separator, ...command] = process.argv.slice(2);
if (separator !== "--" || command.length === 0) {
  console.error("usage: node tests/real/suite.mjs PACKAGE SOURCE -- COMMAND…");
  process.exit(2);
}

/** A copy that shares the installed packages. */
function copied(to) {
  const filter = (from) => !/(?:^|\/)(?:node_modules|\.git)$/.test(path.relative(folder, from));
  cpSync(folder, to, { recursive: true, filter });
  symlinkSync(path.resolve(folder, "node_modules"), path.join(to, "node_modules"));
}

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") yield* filesIn(file);
    else if (entry.isFile() && PROGRAM.test(file)) yield file;
  }
}

/** Optimises the source in a copy. */
function optimized(to, mode) {
  const counts = { files: 0, converted: 0, kept: 0 };
  for (const file of filesIn(path.join(to, source))) {
    if (TESTS.test(path.relative(to, file))) continue;
    const text = readFileSync(file, "utf8");
    const asked = mode === "plain" ? text : ask(text, file, "inside").text;
    const { code, functions } = optimize(asked, { file });
    for (const { outcome } of functions) counts[outcome.kind] += 1;
    if (code === text) continue;
    counts.files += 1;
    writeFileSync(file, code);
  }
  return counts;
}

/** How the tests end: exit code, and the lines that count tests. */
function tested(cwd) {
  const [program, ...args] = command;
  const run = spawnSync(program, args, { cwd, encoding: "utf8", timeout: 600_000 });
  const lines = stripVTControlCharacters(`${run.stdout}\n${run.stderr}`).split("\n");
  const summary = lines.filter((it) => /\b\d+\s+(?:pass|fail|skip)|^# (?:pass|fail)/i.test(it));
  return { code: run.status, summary: summary.map((it) => it.trim()), lines };
}

const before = mkdtempSync(path.join(tmpdir(), "headstart-suite-"));
let ended;
let failed = false;
for (const mode of ["before", "plain", "inside"]) {
  const to = path.join(before, mode);
  copied(to);
  const counts = mode === "before" ? {} : optimized(to, mode);
  const { code, summary, lines } = tested(to);
  console.log(JSON.stringify({ mode, ...counts, code, summary }));
  ended ??= code;
  if (code !== ended) {
    failed = true;
    console.log(lines.filter((it) => /not ok|✗|×|FAIL|Error/.test(it)).join("\n"));
  }
}
rmSync(before, { recursive: true });
process.exit(failed || ended !== 0 ? 1 : 0);
