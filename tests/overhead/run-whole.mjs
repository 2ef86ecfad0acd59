// Runs programs before and after `headstart optimize FOLDER`: what they print has to be the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../packages/headstart/dist/cli.js", import.meta.url));

let folder;
before(() => (folder = mkdtempSync(path.join(tmpdir(), "headstart-whole-test-"))));
after(() => rmSync(folder, { recursive: true, force: true }));

let number = 0;

/** Runs `main` of some files before and after; gives what was printed, the new texts and the report. */
export function run(files, main = "main.mjs") {
  number += 1;
  const [from, to] = ["from", "to"].map((it) => path.join(folder, `${it}-${number}`));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(from, name)), { recursive: true });
    writeFileSync(path.join(from, name), text);
  }
  const report = node([CLI, "optimize", from, "-o", to, "--report"]);
  const printed = node([path.join(to, main)]);
  assert.equal(printed, node([path.join(from, main)]));
  const texts = Object.keys(files).map((name) => [name, readFileSync(path.join(to, name), "utf8")]);
  return { printed, report, texts: Object.fromEntries(texts) };
}

export const node = (args, timeout = 60_000) =>
  execFileSync(process.execPath, args, { encoding: "utf8", timeout });
