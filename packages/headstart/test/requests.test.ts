import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";

import { parseArguments } from "../src/args.js";
import { PLAIN } from "../src/options.js";
import { requestOf, type Work } from "../src/requests.js";
import { project } from "./temp.js";

// Keeps what configures the folders above out of the tests.
const config = ["--config", join(project({ "none.json": "{}" }), "none.json")];
const cwd = process.cwd();
const base = {
  cwd,
  errors: "one",
  logs: "in-order",
  exclude: [],
  excludeFrom: cwd,
  assume: {},
  assumeFrom: cwd,
  projectRoot: null,
  evidence: [],
  evidenceNotes: [],
  deps: ["a", "@b/c"],
  models: [resolve("m.yml"), resolve("n.yml")],
  color: false,
  width: 100,
  includeTests: false,
};
const options = ["--deps", "a", "--deps=@b/c", "--models", "m.yml", "--models", resolve("n.yml")];

describe("requestOf", () => {
  const requests: [string, unknown][] = [
    [
      "check a.ts --level hint --format json --deny none",
      {
        ...base,
        command: "check",
        paths: ["a.ts"],
        level: "hint",
        format: "json",
        deny: "none",
        rendered: false,
        applied: null,
        profile: [],
      },
    ],
    [
      "fix --diff --include-tests",
      {
        ...base,
        command: "fix",
        paths: ["."],
        level: "safe",
        includeTests: true,
        diff: true,
        only: null,
      },
    ],
    ["explain a.ts:3", { ...base, command: "explain", target: { file: "a.ts", line: 3 } }],
    ["callgraph", { ...base, command: "callgraph", paths: ["."], format: "pretty" }],
    [
      "callgraph src lib --format dot --include-tests",
      {
        ...base,
        command: "callgraph",
        paths: ["src", "lib"],
        includeTests: true,
        format: "dot",
      },
    ],
    ["effects a.ts", { ...base, command: "effects", target: { file: "a.ts" }, format: "pretty" }],
    [
      "effects a.ts:3:9 --format json",
      { ...base, command: "effects", target: { file: "a.ts", line: 3 }, format: "json" },
    ],
    ["ask", { ...base, command: "ask", paths: ["."], format: "pretty", most: 5 }],
    [
      "ask src --most 20 --format json --include-tests",
      { ...base, command: "ask", paths: ["src"], format: "json", most: 20, includeTests: true },
    ],
  ];
  for (const [line, expected] of requests) {
    it(`turns "${line}" into a request`, async () => {
      assert.deepEqual(await request([...line.split(" "), ...options, ...config]), expected);
    });
  }

  it('turns "models check" into a request without a program', async () => {
    assert.deepEqual(await request(["models", "check", "a.yml", "b.yml"]), {
      command: "models",
      cwd,
      files: ["a.yml", "b.yml"],
    });
  });
});

/** As it is sent: what is undefined is not. */
async function request(argv: readonly string[]): Promise<unknown> {
  const sent = await requestOf(parseArguments(argv) as Work, PLAIN);
  return JSON.parse(JSON.stringify(sent)) as unknown;
}
