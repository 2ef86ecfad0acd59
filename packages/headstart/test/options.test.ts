import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { checkRequest, explainRequest, fixRequest, PLAIN } from "../src/options.js";
import { project } from "./temp.js";

const CONFIG = JSON.stringify({
  level: "hint",
  deny: "none",
  includeTests: true,
  errors: "exact",
  exclude: ["gen"],
});

describe("requests", () => {
  it("have defaults", async () => {
    const cwd = project();
    const base = { cwd, errors: "one", exclude: [], color: false, width: 100 };
    assert.deepEqual(await checkRequest({ cwd }, PLAIN), {
      ...base,
      command: "check",
      paths: ["."],
      level: "likely",
      includeTests: false,
      format: "pretty",
      deny: "safe",
      rendered: false,
    });
    assert.deepEqual(await fixRequest({ cwd }, PLAIN), {
      ...base,
      command: "fix",
      paths: ["."],
      level: "safe",
      includeTests: false,
      diff: false,
      only: null,
    });
    assert.deepEqual(await explainRequest({ cwd, file: "a.ts", line: 3 }, PLAIN), {
      ...base,
      command: "explain",
      target: { file: "a.ts", line: 3 },
      includeTests: false,
    });
  });

  it("take the configuration, but fix no level", async () => {
    const cwd = project({ "headstart.config.json": CONFIG });
    const { level, deny, includeTests, errors, exclude } = await checkRequest({ cwd }, PLAIN);
    assert.deepEqual({ level, deny, includeTests, errors, exclude }, JSON.parse(CONFIG) as unknown);
    const fix = await fixRequest({ cwd }, PLAIN);
    assert.equal(fix.level, "safe");
    assert.equal(fix.includeTests, true);
    assert.equal(fix.errors, "exact");
    const explain = await explainRequest({ cwd, file: "a.ts", line: 3 }, PLAIN);
    assert.deepEqual(explain.exclude, ["gen"]);
  });

  it("let options win over the configuration", async () => {
    const cwd = project({ "headstart.config.json": CONFIG });
    const given = {
      level: "safe",
      deny: "likely",
      includeTests: false,
      errors: "one",
      exclude: [],
    } as const;
    const { level, deny, includeTests, errors, exclude } = await checkRequest(
      { cwd, ...given },
      PLAIN,
    );
    assert.deepEqual({ level, deny, includeTests, errors, exclude }, given);
  });
});
