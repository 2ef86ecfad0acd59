import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { HeadstartError } from "../src/errors.js";
import { parseFileTarget, parseTarget } from "../src/target.js";

describe("parseTarget", () => {
  const good: [string, string, number][] = [
    ["src/a.ts:12", "src/a.ts", 12],
    ["src/a.ts:12:5", "src/a.ts", 12],
    ["src/a.ts:12:5:", "src/a.ts", 12],
    ["a.ts:1", "a.ts", 1],
    ["C:\\src\\a.ts:12", "C:\\src\\a.ts", 12],
    ["C:/src/a.ts:12:5", "C:/src/a.ts", 12],
    ["/abs/with space/a.ts:7", "/abs/with space/a.ts", 7],
    ["odd:3.ts:4", "odd:3.ts", 4],
    ["odd:1:2:3", "odd:1", 2],
    ["ünïcödé/ファイル.ts:4294967295", "ünïcödé/ファイル.ts", 4294967295],
  ];
  for (const [text, file, line] of good) {
    it(`reads ${text}`, () => {
      assert.deepEqual(parseTarget(text), { file, line });
      assert.deepEqual(parseFileTarget(text), { file, line });
    });
  }

  const bad = [
    "",
    "src/a.ts",
    "src/a.ts:",
    "src/a.ts:x",
    "src/a.ts:0",
    "src/a.ts:-1",
    "src/a.ts:1.5",
    "src/a.ts:4294967296",
    ":12",
    "C:\\src\\a.ts",
  ];
  for (const text of bad) {
    it(`refuses "${text}"`, () => {
      assert.throws(
        () => parseTarget(text),
        (error) =>
          error instanceof HeadstartError &&
          error.exitCode === 2 &&
          error.message.startsWith(`"${text}" is not FILE:LINE`),
      );
    });
  }
});

describe("parseFileTarget", () => {
  for (const file of [
    "a.ts",
    "src/a.ts",
    "C:\\src\\a.ts",
    "odd:3.ts",
    "Makefile",
    "with space.ts",
  ]) {
    it(`reads ${file}`, () => {
      assert.deepEqual(parseFileTarget(file), { file });
    });
  }

  const bad = [
    "",
    "a.ts:",
    "a.ts:0",
    "a.ts:0:5",
    "a.ts:-1",
    "a.ts:1.5",
    "a.ts:4294967296",
    ":12",
    ":",
  ];
  for (const text of bad) {
    it(`refuses "${text}"`, () => {
      assert.throws(
        () => parseFileTarget(text),
        (error) =>
          error instanceof HeadstartError &&
          error.exitCode === 2 &&
          error.message.startsWith(`"${text}" is not FILE or FILE:LINE`),
      );
    });
  }
});
