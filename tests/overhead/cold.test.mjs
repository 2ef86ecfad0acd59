// Functions that may not be converted stay as they are written, and programs with some of them do the same.
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { before, describe, it } from "node:test";

import { optimize } from "headstart";

import { differ, textOf } from "./differ.mjs";
import { generateCalls } from "./generate-calls.mjs";
import { generateFiles } from "./generate-files.mjs";
import { ProgramFolder } from "./whole.mjs";

const COUNT = Number(process.env["DIFFER_COUNT"] ?? 100);
const SEED = Number(process.env["DIFFER_SEED"] ?? 1);

/** What is rejected on purpose is nobody's business but that of who awaits it. */
before(() => {
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", () => undefined);
});

/** About half of the functions of a text, other ones for each seed. */
function half(code, seed, options) {
  const { functions } = optimize(code, { ...options, only: [] });
  const isTaken = ({ line, column }) =>
    (((line * 31 + column) * 0x9e3779b1 + seed * 7919) >>> 7) % 2;
  return functions.map((it) => it.startPosition).filter((it) => isTaken(it) === 1);
}

/** A text as its bytes, and where a function stands in it. */
function spanOf(code, { offset, startPosition, length }) {
  const isFunction = /^async(\s|\/\*.*?\*\/)*function/s.test(code.subarray(offset).toString());
  const lines = code.toString().split(/^/m);
  const line = Buffer.byteLength(lines.slice(0, startPosition.line - 1).join(""));
  const before = lines[startPosition.line - 1]?.slice(0, startPosition.column - 1) ?? "";
  const start = isFunction ? offset : line + Buffer.byteLength(before);
  return { start, end: start + length };
}

/**
 * Checks that functions are in the result as they were, but those that stand in one that may be converted, with which
 * they share variables, and those with such a one in them.
 */
function checkText(text, { code, functions }, only) {
  const source = Buffer.from(text);
  const isNamed = ({ line, column }) => only.some((at) => at.line === line && at.column === column);
  const all = functions.map((it) => ({ it, ...spanOf(source, it) }));
  const hot = all.filter(({ it }) => isNamed(it.startPosition));
  const alone = all.filter(
    ({ start, end }) => !hot.some((other) => other.start < end && start < other.end),
  );
  for (const { it, start, end } of alone) {
    assert.equal(it.outcome.kind, "kept");
    assert.equal(it.eased.count, 0);
    const written = source.subarray(start, end).toString();
    assert.ok(code.includes(written), written);
  }
  return alone.length;
}

/** Compares programs with what becomes of them. */
async function compare(make, optimizer, options = {}) {
  const counts = { converted: 0, kept: 0, unwrapped: 0 };
  for (let seed = SEED; seed < SEED + COUNT; seed++) {
    const program = make(seed);
    const result = await differ(seed, optimizer(program, seed), { ...options, program });
    for (const { outcome } of result.functions ?? []) counts[outcome.kind] += 1;
    const { mismatch } = result;
    assert.equal(
      mismatch,
      undefined,
      mismatch && `program ${seed}\n${textOf(result.program, true)}\n${JSON.stringify(mismatch)}`,
    );
  }
  console.log(`${COUNT} programs, functions: ${JSON.stringify(counts)}`);
  assert.ok(counts.converted > COUNT / 4 && counts.kept > COUNT, JSON.stringify(counts));
}

describe("random programs with cold functions", () => {
  it(`do the same, and what is cold stays (${COUNT} programs from seed ${SEED})`, async () => {
    let cold = 0;
    const optimizer = (_, seed) => (code) => {
      const options = { file: "program.js" };
      const only = half(code, seed, options);
      const result = optimize(code, { ...options, only });
      cold += checkText(code, result, only);
      return { ...result, error: null };
    };
    await compare((seed) => generateCalls(seed, undefined), optimizer);
    assert.ok(cold > COUNT, String(cold));
  });

  it(`do the same as programs of several files (${COUNT} programs from seed ${SEED})`, async () => {
    const folder = new ProgramFolder();
    const optimizer =
      ({ files }, seed) =>
      () => {
        const only = Object.values(files).flatMap((it) => half(it, seed, { file: "a.js" }));
        return folder.assembled(files, { only });
      };
    try {
      await compare((seed) => generateFiles(seed, false), optimizer);
    } finally {
      folder.remove();
    }
  });
});
