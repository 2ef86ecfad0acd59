import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { chooseFindings } from "../src/interactive.js";
import type { Finding } from "../src/types.js";

const place = { line: 1, column: 1 };

function finding(id: string, file: string): Finding {
  return {
    id,
    file,
    rule: "sequential",
    level: "safe",
    range: { start: place, end: place },
    message: `message of ${id}`,
    overlaps: [],
    crosses: [],
    assumptions: [],
    assumptionCodes: [],
    blockers: [],
    replacement: [],
    estimatedGainMs: 0,
    rendered: `rendering of ${id}\n`,
  };
}

const FINDINGS = [
  finding("a1", "a.ts"),
  finding("a2", "a.ts"),
  finding("b1", "b.ts"),
  finding("a3", "a.ts"),
];

async function choose(...answers: string[]) {
  const prompts: string[] = [];
  const shown: string[] = [];
  const accepted = await chooseFindings(
    FINDINGS,
    (prompt) => {
      prompts.push(prompt);
      return Promise.resolve(answers.shift());
    },
    (text) => {
      shown.push(text);
      return Promise.resolve();
    },
  );
  return { accepted, prompts, shown: shown.join(""), left: answers };
}

describe("chooseFindings", () => {
  it("asks about each and takes y", async () => {
    const { accepted, prompts, shown } = await choose("y", "n", "Yes", " no ");
    assert.deepEqual(accepted, ["a1", "b1"]);
    assert.equal(prompts.length, 4);
    assert.equal(prompts[1], "(2/4) Apply? [y]es [n]o [a]ll of this file [q]uit ");
    for (const { rendered } of FINDINGS) assert.ok(shown.includes(rendered ?? "?"));
  });

  it("takes the rest of a file with a, and asks about the others", async () => {
    const { accepted, prompts } = await choose("n", "a", "n");
    assert.deepEqual(accepted, ["a2", "a3"]);
    assert.equal(prompts.length, 3);
  });

  it("leaves out the rest with q and at the end of the input", async () => {
    assert.deepEqual((await choose("y", "q", "y")).accepted, ["a1"]);
    assert.deepEqual((await choose("y")).accepted, ["a1"]);
    assert.deepEqual((await choose()).accepted, []);
  });

  it("asks again when it does not understand", async () => {
    const { accepted, prompts, left } = await choose("", "maybe", "y", "q");
    assert.deepEqual(accepted, ["a1"]);
    assert.equal(prompts.length, 4);
    assert.deepEqual(left, []);
  });
});
