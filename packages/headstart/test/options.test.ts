import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";

import {
  callGraphRequest,
  checkRequest,
  effectsRequest,
  explainRequest,
  fixRequest,
  modelsRequest,
  PLAIN,
} from "../src/options.js";
import { project } from "./temp.js";

const CONFIG = JSON.stringify({
  level: "hint",
  deny: "none",
  includeTests: true,
  errors: "exact",
  logs: "any-order",
  exclude: ["gen"],
});
const PROGRAM = { deps: ["pg"], models: ["etc/m.yml"] };

describe("requests", () => {
  it("have defaults", async () => {
    const cwd = project();
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
      deps: [],
      models: [],
      color: false,
      width: 100,
      includeTests: false,
    };
    assert.deepEqual(await checkRequest({ cwd }, PLAIN), {
      ...base,
      command: "check",
      paths: ["."],
      level: "likely",
      format: "pretty",
      deny: "safe",
      rendered: false,
      applied: null,
      profile: [],
    });
    assert.deepEqual(await fixRequest({ cwd }, PLAIN), {
      ...base,
      command: "fix",
      paths: ["."],
      level: "safe",
      diff: false,
      only: null,
    });
    assert.deepEqual(await explainRequest({ cwd, file: "a.ts", line: 3 }, PLAIN), {
      ...base,
      command: "explain",
      target: { file: "a.ts", line: 3 },
    });
    assert.deepEqual(await callGraphRequest({ cwd }, PLAIN), {
      ...base,
      command: "callgraph",
      paths: ["."],
      format: "pretty",
    });
    assert.deepEqual(await effectsRequest({ cwd, file: "a.ts" }, PLAIN), {
      ...base,
      command: "effects",
      target: { file: "a.ts" },
      format: "pretty",
    });
  });

  it("take the configuration, but fix no level", async () => {
    const config = { ...(JSON.parse(CONFIG) as object), ...PROGRAM };
    const cwd = project({ "headstart.config.json": JSON.stringify(config) });
    const { level, deny, includeTests, errors, logs, exclude } = await checkRequest({ cwd }, PLAIN);
    assert.deepEqual(
      { level, deny, includeTests, errors, logs, exclude },
      JSON.parse(CONFIG) as unknown,
    );
    const fix = await fixRequest({ cwd }, PLAIN);
    assert.equal(fix.level, "safe");
    assert.equal(fix.includeTests, true);
    assert.equal(fix.errors, "exact");
    const explain = await explainRequest({ cwd, file: "a.ts", line: 3 }, PLAIN);
    assert.deepEqual(explain.exclude, ["gen"]);
    const callgraph = await callGraphRequest({ cwd }, PLAIN);
    assert.equal(callgraph.includeTests, true);
    const effects = await effectsRequest({ cwd, file: "a.ts", line: 3 }, PLAIN);
    assert.equal(effects.includeTests, true);
    assert.deepEqual(effects.target, { file: "a.ts", line: 3 });
    for (const { deps, models } of [fix, explain, callgraph, effects]) {
      assert.deepEqual(deps, ["pg"]);
      assert.deepEqual(models, [join(cwd, "etc/m.yml")]);
    }
  });

  it("let options win over the configuration", async () => {
    const cwd = project({ "headstart.config.json": CONFIG });
    const given = {
      level: "safe",
      deny: "likely",
      includeTests: false,
      errors: "one",
      logs: "in-order",
      exclude: [],
    } as const;
    const { level, deny, includeTests, errors, logs, exclude } = await checkRequest(
      { cwd, ...given },
      PLAIN,
    );
    assert.deepEqual({ level, deny, includeTests, errors, logs, exclude }, given);
  });

  it("take the root of the program, and what globs are relative to, from the configuration", async () => {
    const cwd = project({
      "headstart.config.json": '{"root":".","exclude":["gen"]}',
      "src/x.ts": "",
    });
    const src = join(cwd, "src");
    const found = await checkRequest({ cwd: src }, PLAIN);
    assert.deepEqual([found.projectRoot, found.excludeFrom], [cwd, cwd]);
    const given = await checkRequest({ cwd: src, exclude: ["x"] }, PLAIN);
    assert.deepEqual([given.projectRoot, given.excludeFrom], [cwd, src]);
  });

  it("let dependencies and models win over the configuration too", async () => {
    const cwd = project({ "headstart.config.json": JSON.stringify(PROGRAM) });
    const given = { deps: ["a", "b"], models: ["n.yml", resolve("/o.yml")] };
    const { deps, models } = await callGraphRequest({ cwd, ...given }, PLAIN);
    assert.deepEqual(deps, ["a", "b"]);
    assert.deepEqual(models, [join(cwd, "n.yml"), resolve("/o.yml")]);
    const none = await callGraphRequest({ cwd, deps: [], models: [] }, PLAIN);
    assert.deepEqual([none.deps, none.models], [[], []]);
  });

  it("to check models name the files as they were given", () => {
    const request = modelsRequest(["m.yml", "../n.yml"]);
    const cwd = process.cwd();
    assert.deepEqual(request, { command: "models", cwd, files: ["m.yml", "../n.yml"] });
  });
});
