import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import type { CheckReport } from "../../src/types.js";
import { project } from "../temp.js";
import { HAS_TERMINAL, headstart, onTerminal } from "./command.js";
import { CLEAN, GUARDED, HELD, HOISTED, IN_ONE, SLOW } from "./fixtures.js";
import { isCheckReport } from "./report-schema.js";

const ESCAPE = "\u001B";

function report(stdout: string): CheckReport {
  const value: unknown = JSON.parse(stdout);
  assert.ok(isCheckReport(value), JSON.stringify(isCheckReport.errors));
  return JSON.parse(stdout) as CheckReport;
}

describe("check on the storefront of the demo", () => {
  const root = new URL("../../../../", import.meta.url);

  it("prints what the README shows", () => {
    const readme = readFileSync(new URL("README.md", root), "utf8");
    const shown = /^\$ headstart check\n(.*?)^\$ headstart verify/ms.exec(readme)?.[1];
    const { stdout } = headstart(fileURLToPath(new URL("examples/storefront", root)), ["check"]);
    assert.ok(shown !== undefined && stdout.includes(shown), stdout);
  });
});

describe("check exits with", () => {
  it("1 for a finding, and shows it", () => {
    const { status, stdout } = headstart(project({ "src/load.ts": SLOW }), ["check"]);
    assert.equal(status, 1);
    assert.match(stdout, /src\/load\.ts/);
  });

  it("0 when nothing is found, or nothing is denied", () => {
    assert.equal(headstart(project({ "src/load.ts": CLEAN }), ["check"]).status, 0);
    assert.equal(headstart(project({ "src/list.ts": GUARDED }), ["check"]).status, 0);
    assert.equal(
      headstart(project({ "src/load.ts": SLOW }), ["check", "--deny", "none"]).status,
      0,
    );
  });

  it("2 where there is nothing to look at", () => {
    const { status, stderr } = headstart(project(), ["check"]);
    assert.equal(status, 2);
    assert.match(stderr, /^error: \.: no JavaScript or TypeScript files/m);
  });

  it("2 for a path that is not there", () => {
    const { status, stdout, stderr } = headstart(project(), ["check", "nowhere"]);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /nowhere/);
  });

  it("2 for mistakes in arguments and configuration, in one line", () => {
    const cwd = project({ "headstart.config.json": '{"levle":"safe"}' });
    for (const args of [["check", "--lvel", "x"], ["chekc"], ["check"]]) {
      const { status, stdout, stderr } = headstart(cwd, args);
      assert.equal(status, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /^error: [^\n]*did you mean[^\n]*\n$/);
    }
    assert.match(
      headstart(cwd, ["check"]).stderr,
      /headstart\.config\.json:1:2: unknown key "levle"/,
    );
  });

  it("2 and the help without a command", () => {
    const { status, stdout, stderr } = headstart(project(), []);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /Usage: headstart <command>/);
  });
});

describe("check looks at", () => {
  it("the paths given only", () => {
    const cwd = project({ "a/load.ts": SLOW, "b/load.ts": SLOW });
    const { stdout } = headstart(cwd, ["check", "b", "--format", "github"]);
    assert.match(stdout, /file=b\/load\.ts,/);
    assert.doesNotMatch(stdout, /file=a\//);
  });

  it("tests when asked to", () => {
    const cwd = project({ "src/load.ts": CLEAN, "test/load.test.ts": SLOW });
    assert.equal(headstart(cwd, ["check"]).status, 0);
    assert.equal(headstart(cwd, ["check", "--include-tests"]).status, 1);
  });

  it("nothing that the configuration excludes, from below too", () => {
    const cwd = project({
      "headstart.config.json": '{"exclude":["pkg/gen/"]}',
      "pkg/gen/load.ts": SLOW,
      "pkg/load.ts": CLEAN,
    });
    assert.equal(headstart(cwd, ["check"]).status, 0);
    assert.equal(headstart(`${cwd}/pkg`, ["check"]).status, 0);
    assert.equal(
      headstart(`${cwd}/pkg`, ["check", "--config", "../headstart.config.json"]).status,
      1,
    );
  });

  it("the other files when one does not parse", () => {
    const cwd = project({ "broken.ts": "const = 1;\n", "load.ts": SLOW });
    const { skipped, findings } = report(headstart(cwd, ["check", "--format", "json"]).stdout);
    assert.equal(skipped[0]?.file, "broken.ts");
    assert.equal(skipped[0].line, 1);
    assert.equal(findings[0]?.file, "load.ts");
  });
});

describe("check prints", () => {
  it("json that has the documented form", () => {
    const cwd = project({ "src/load.ts": SLOW, "src/list.ts": GUARDED });
    const { stdout, stderr } = headstart(cwd, ["check", "--format", "json", "--level", "hint"]);
    assert.equal(stderr, "");
    const { findings, stats } = report(stdout);
    assert.equal(stats.files, 2);
    const found = findings.find(({ file }) => file === "src/load.ts");
    assert.equal(found?.level, "safe");
    assert.deepEqual(found.assumptions, []);
    assert.ok(found.range.start.line >= 4 && found.range.end.line <= 5);
    assert.notEqual(found.replacement, null);
    assert.equal(new Set(findings.map(({ id }) => id)).size, findings.length);
  });

  it("sarif that code scanning takes", () => {
    const cwd = project({ "src/load.ts": SLOW });
    const { stdout } = headstart(cwd, ["check", "--format", "sarif"]);
    const log = JSON.parse(stdout) as Sarif;
    assert.equal(log.version, "2.1.0");
    assert.match(log.$schema, /sarif.*2\.1\.0/);
    const [run] = log.runs;
    assert.match(run?.tool.driver.name ?? "", /^headstart$/i);
    const rules = run?.tool.driver.rules.map(({ id }) => id) ?? [];
    assert.equal(run?.results.length, 1);
    for (const { ruleId, level, message, locations } of run.results) {
      assert.ok(rules.includes(ruleId));
      assert.ok(["error", "warning", "note"].includes(level));
      assert.ok(message.text.length > 0);
      const place = locations[0]?.physicalLocation;
      assert.equal(place?.artifactLocation.uri, "src/load.ts");
      assert.ok(place.region.startLine >= 4);
    }
  });

  it("codes of what is taken for granted and of what stands in the way", () => {
    const cwd = project({ "held.ts": HELD, "list.ts": GUARDED });
    const as = (format: string) =>
      headstart(cwd, ["check", "--level", "hint", "--format", format]).stdout;
    const { findings } = report(as("json"));
    const codes = findings.map(({ assumptionCodes, blockers }) => ({
      assumptionCodes,
      blockerCodes: blockers.map(({ code }) => code),
    }));
    assert.deepEqual(codes, [
      { assumptionCodes: ["plain-property"], blockerCodes: [] },
      { assumptionCodes: [], blockerCodes: ["decides-whether-it-starts"] },
    ]);
    const results = (JSON.parse(as("sarif")) as Sarif).runs[0]?.results ?? [];
    assert.deepEqual(
      results.map(({ properties }) => properties),
      findings.map(({ level }, index) => ({ level, ...codes[index] })),
    );
    for (const { assumptions, assumptionCodes } of findings) {
      assert.equal(assumptionCodes.length, assumptions.length);
    }
  });

  it("annotations for GitHub", () => {
    const { stdout } = headstart(project({ "src/load.ts": SLOW }), ["check", "--format", "github"]);
    assert.match(stdout, /^::warning file=src\/load\.ts,line=[45],[^\n]*::[^\n]+$/m);
  });
});

describe("a rewrite is shown as a difference, whole:", () => {
  for (const [name, text] of Object.entries({ SLOW, HOISTED, IN_ONE })) {
    it(name, () => {
      const cwd = project({ "a.ts": text });
      const written = headstart(cwd, ["fix", "--diff"]).stdout;
      const changed = [...written.matchAll(/^([-+])(?!-- |\+\+ )(.*)$/gm)];
      const lines = changed.map(([, sign, line]) => `${sign} ${line}`.trimEnd());
      assert.ok(lines.some((it) => it.startsWith("+")) && lines.some((it) => it.startsWith("-")));
      const outputs = [
        headstart(cwd, ["check"]).stdout,
        headstart(cwd, ["explain", `a.ts:${text === HOISTED ? 9 : 5}`]).stdout,
      ];
      for (const stdout of outputs) {
        const shown = [...stdout.matchAll(/^ *\d+ ([-+](?: .*)?)$/gm)].map(([, line]) => line);
        assert.deepEqual(shown, lines, stdout);
      }
    });
  }

  it("with the lines' own numbers", () => {
    const { stdout } = headstart(project({ "a.ts": HOISTED }), ["check"]);
    assert.match(stdout, /^ 4 - {3}const head = await readFile/m);
    assert.match(stdout, /^ 4 \+ {3}const headPromise = readFile/m);
    assert.match(stdout, /^ 5 \+ {3}const packedPromise = readFile/m);
    assert.match(stdout, /^ 9 - {3}const packed = await readFile/m);
    assert.match(stdout, /^12 \+ {3}const packed = await packedPromise;/m);
  });
});

interface Sarif {
  version: string;
  $schema: string;
  runs: {
    tool: { driver: { name: string; rules: { id: string }[] } };
    results: {
      ruleId: string;
      level: string;
      message: { text: string };
      properties: { level: string; assumptionCodes: string[]; blockerCodes: string[] };
      locations: {
        physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } };
      }[];
    }[];
  }[];
}

describe("colours", () => {
  const cwd = project({ "src/load.ts": SLOW });

  it("are not for pipes", () => {
    const { stdout, stderr } = headstart(cwd, ["check"]);
    assert.ok(!(stdout + stderr).includes(ESCAPE));
  });

  it("can be forced", () => {
    assert.ok(headstart(cwd, ["check"], { FORCE_COLOR: "1" }).stdout.includes(ESCAPE));
  });

  it("never get into json", () => {
    const { stdout } = headstart(cwd, ["check", "--format", "json"], { FORCE_COLOR: "1" });
    assert.ok(!stdout.includes(ESCAPE));
    report(stdout);
  });

  it("are for terminals, unless NO_COLOR is set", { skip: !HAS_TERMINAL }, async () => {
    assert.ok((await onTerminal(cwd, ["check"])).stdout.includes(ESCAPE));
    const none = await onTerminal(cwd, ["check"], [], { NO_COLOR: "1" });
    assert.ok(!none.stdout.includes(ESCAPE), none.stdout);
  });
});

describe("explain", () => {
  const cwd = project({ "src/load.ts": SLOW });

  it("explains an await", () => {
    for (const place of ["src/load.ts:5", "src/load.ts:5:20"]) {
      const { status, stdout } = headstart(cwd, ["explain", place]);
      assert.equal(status, 0);
      assert.match(stdout, /load\.ts/);
    }
  });

  it("exits with 2 for a file or a line that is not there", () => {
    for (const place of ["src/nowhere.ts:1", "src/load.ts:999"]) {
      const { status, stdout, stderr } = headstart(cwd, ["explain", place]);
      assert.equal(status, 2, place);
      assert.equal(stdout, "");
      assert.notEqual(stderr, "");
    }
  });
});
