import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import type * as Api from "../../src/index.js";
import { packageFile } from "../../src/package.js";
import type { CheckReport } from "../../src/types.js";
import { project } from "../temp.js";
import { headstart } from "./command.js";
import { GUARDED, SLOW } from "./fixtures.js";

const { check, callgraph, effects, fix } = (await import(
  packageFile("dist/index.js")
)) as typeof Api;

function found(cwd: string, ...paths: string[]): CheckReport {
  return JSON.parse(headstart(cwd, ["check", "--format", "json", ...paths]).stdout) as CheckReport;
}

describe("a place means the same in every form:", () => {
  const cwd = project({
    "one/package.json": '{"name":"one"}',
    "one/src/load.ts": SLOW,
    "one/src/list.ts": GUARDED,
    "two/.keep": "",
  });
  rmSync(join(cwd, ".git"), { recursive: true });
  const file = "one/src/load.ts";
  const level = ["--level", "hint"];

  it("relative to the current folder", async () => {
    assert.ok(found(cwd, "one").findings.every((it) => it.file.startsWith("one/src/")));
    assert.match(headstart(cwd, ["check", "one"]).stdout, /╭▸ one\/src\/load\.ts:/);
    assert.match(headstart(cwd, ["check", "one", "--format", "github"]).stdout, /file=one\/src\//);
    const api = await check({ cwd, paths: ["one"] });
    assert.equal(api.findings[0]?.file, file);
    assert.deepEqual((await callgraph({ cwd, paths: ["one/src"] })).files.includes(file), true);
    assert.equal((await effects({ cwd, file }).then((it) => it.functions[0]))?.file, file);
    const { fixed } = await fix({ cwd, paths: ["one"], diff: true });
    assert.deepEqual(fixed[0]?.file, file);
  });

  it("absolute outside of it", async () => {
    const two = join(cwd, "two");
    const api = await check({ cwd: two, paths: ["../one"] });
    assert.equal(api.findings[0]?.file, join(cwd, file));
    const [run] = sarif(two, "../one", ...level).runs;
    const place = run?.results[0]?.locations[0]?.physicalLocation.artifactLocation;
    assert.equal(place?.uriBaseId, undefined);
    assert.match(place?.uri ?? "", /^file:\/\/\/.*\/one\/src\//);
  });

  it("and in SARIF leads to the file", () => {
    const [run] = sarif(cwd, "one", ...level).runs;
    assert.ok(run !== undefined && run.results.length > 1);
    for (const { locations, relatedLocations, fixes = [] } of run.results) {
      const all = [...locations, ...relatedLocations].map((it) => it.physicalLocation);
      const changed = fixes.flatMap((it) => it.artifactChanges);
      for (const { artifactLocation } of [...all, ...changed]) {
        const base = run.originalUriBaseIds[artifactLocation.uriBaseId ?? ""]?.uri;
        assert.ok(base?.endsWith("/"), "the URI of a folder ends in a slash (3.14.14)");
        const url = new URL(artifactLocation.uri, base).href;
        assert.ok(url.startsWith(pathToFileURL(join(cwd, "one/src/")).href), url);
      }
    }
  });

  it("SARIF describes each rule, hints too", () => {
    const [run] = sarif(cwd, "one", ...level).runs;
    const rules = run?.tool.driver.rules ?? [];
    for (const text of [
      rules.map(({ id }) => id),
      rules.map((it) => it.shortDescription.text),
      rules.map((it) => it.fullDescription.text),
      rules.map((it) => it.help.text),
    ]) {
      assert.equal(new Set(text).size, rules.length);
    }
    assert.ok(rules.length >= 3);
    for (const { ruleId, ruleIndex } of run?.results ?? []) {
      assert.equal(rules[ruleIndex]?.id, ruleId);
    }
    const used = new Set(run?.results.map(({ ruleId }) => ruleId));
    assert.ok(used.has("blocked-awaits") && used.has("independent-awaits"));
  });
});

interface ArtifactLocation {
  uri: string;
  uriBaseId?: string;
}

interface Location {
  physicalLocation: { artifactLocation: ArtifactLocation };
}

interface Sarif {
  runs: {
    tool: {
      driver: {
        rules: {
          id: string;
          shortDescription: { text: string };
          fullDescription: { text: string };
          help: { text: string };
        }[];
      };
    };
    originalUriBaseIds: Record<string, { uri: string }>;
    results: {
      ruleId: string;
      ruleIndex: number;
      locations: Location[];
      relatedLocations: Location[];
      fixes?: { artifactChanges: { artifactLocation: ArtifactLocation }[] }[];
    }[];
  }[];
}

function sarif(cwd: string, ...args: string[]): Sarif {
  return JSON.parse(headstart(cwd, ["check", "--format", "sarif", ...args]).stdout) as Sarif;
}
