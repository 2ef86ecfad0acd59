import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { findCall, without } from "../src/runners/script.js";

describe("findCall", () => {
  const known: [Record<string, string>, unknown][] = [
    [{ test: "vitest run --config a.ts" }, ["vitest", [], ["run", "--config", "a.ts"], {}]],
    [{ test: "tsc && npm run test:unit", "test:unit": "jest" }, ["jest", [], [], {}]],
    [
      { test: "yarn unit", unit: "TZ=UTC mocha -r ts-node/register 'test/**/*.ts'" },
      ["mocha", [], ["-r", "ts-node/register", "test/**/*.ts"], { TZ: "UTC" }],
    ],
    [{ test: "cross-env A=1 c8 --reporter=lcov mocha" }, ["mocha", [], [], { A: "1" }]],
    [
      { test: "node --experimental-vm-modules node_modules/jest/bin/jest.js --x" },
      ["jest", ["--experimental-vm-modules"], ["--x"], {}],
    ],
    [
      { test: "node --import tsx --test test/*.ts" },
      ["node", [], ["--import", "tsx", "--test", "test/*.ts"], {}],
    ],
    [{ test: "tsx --test" }, ["node", ["--import", "tsx"], ["--test"], {}]],
    [{ test: "npm test" }, undefined],
    [{ test: "ava" }, undefined],
  ];
  for (const [scripts, expected] of known) {
    it(`reads ${JSON.stringify(scripts)}`, () => {
      const call = findCall(scripts, "auto");
      assert.deepEqual(call && [call.runner, call.nodeArgs, call.args, call.env], expected);
    });
  }

  it("looks for the runner that is asked for", () => {
    assert.equal(findCall({ test: "vitest", "test:old": "mocha" }, "mocha")?.runner, "mocha");
  });
});

describe("without", () => {
  it("drops options with their values, and whatever is about coverage", () => {
    const dropped = new Map([
      ["--watch", false],
      ["--reporter", true],
    ]);
    const args = [
      "--watch",
      "--reporter",
      "dot",
      "--reporter=x",
      "--coverage.enabled",
      "a",
      "--reporters",
    ];
    assert.deepEqual(without(args, dropped), ["a", "--reporters"]);
  });
});
