import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "node:test";

import type * as Api from "../../src/index.js";
import { packageFile } from "../../src/package.js";
import type { CheckReport, Finding } from "../../src/types.js";
import { project } from "../temp.js";
import { CLI, ENV, headstart, type Outcome } from "./command.js";
import { SLOW } from "./fixtures.js";
import { HAS_PIPES, pipe } from "./pipe.js";

const { fix } = (await import(packageFile("dist/index.js"))) as typeof Api;

/** The whole program does more than read, wherever it does. */
const MOVES = `export function go(): void { process.chdir("/tmp"); }\n`;
const name = (of: string, more = {}): string => JSON.stringify({ name: of, ...more });

/** A folder of many projects that is none itself. */
function folder(files: Readonly<Record<string, string>>): string {
  const cwd = project(files);
  rmSync(join(cwd, ".git"), { recursive: true });
  return cwd;
}

function found(cwd: string, ...paths: string[]): CheckReport {
  const { stdout, stderr } = headstart(cwd, ["check", "--format", "json", ...paths]);
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as CheckReport;
}

/** What is the same from wherever a file is looked at. */
function ownOf(report: CheckReport, cwd: string, of: string): Omit<Finding, "file">[] {
  // In one report all have names of their own.
  assert.equal(new Set(report.findings.map(({ id }) => id)).size, report.findings.length);
  const own = report.findings.map(({ file, ...finding }) => ({
    path: join(cwd, file),
    finding: { ...finding, id: finding.id.replace(/\.\d+$/, "") },
  }));
  return own
    .filter(({ path }) => !relative(of, path).startsWith(".."))
    .map(({ finding }) => finding);
}

/** As {@link headstart}, but a command that does not end fails. */
function ends(cwd: string, args: readonly string[]): Outcome {
  const options = { cwd, env: ENV, encoding: "utf8", timeout: 60_000 } as const;
  const outcome = spawnSync(process.execPath, [CLI, ...args], options);
  if (outcome.error) throw outcome.error;
  return outcome;
}

describe("what may change the rest is part of the program:", () => {
  const level = (files: Readonly<Record<string, string>>): string | undefined =>
    found(project({ "src/load.ts": SLOW, ...files })).findings[0]?.level;

  it("in a folder whose name begins with a dot, too", () => {
    assert.equal(level({}), "safe");
    assert.equal(level({ ".storybook/moves.ts": MOVES }), "likely");
    assert.equal(level({ ".github/scripts/moves.ts": MOVES }), "likely");
    // What builds and package managers keep there is none of the project's code.
    assert.equal(level({ ".next/server/moves.js": MOVES.replace(": void", "") }), "safe");
  });

  it("with an ending in capitals, too", () => {
    assert.equal(level({ "src/MOVES.TS": MOVES }), "likely");
  });

  it("and a file that could not be read, where it loads something", () => {
    const unread = (text: string): string | undefined =>
      found(project({ "src/load.ts": SLOW, "src/odd.js": text })).findings[0]?.assumptions.at(-1);
    assert.equal(unread("const = ;\n"), undefined);
    assert.equal(
      unread('import "./load.js"; const = ;\n'),
      "`src/odd.js`, which could not be read, changes nothing of what is used here",
    );
  });
});

describe("a project is a program of its own:", () => {
  const files = {
    "one/package.json": name("one"),
    "one/src/load.ts": SLOW,
    "two/package.json": name("two"),
    "two/src/load.ts": SLOW,
    "two/src/moves.ts": MOVES,
    "three/.git/HEAD": "",
    "three/load.ts": SLOW,
    "typed/package.json": '{"type":"module"}',
    "typed/load.ts": SLOW,
  };
  const all = ["one", "two", "three", "typed"];

  it("what is found in it is the same, whatever is named with it", () => {
    const cwd = folder(files);
    const alone = new Map(
      all.map((it) => [it, ownOf(found(join(cwd, it)), join(cwd, it), join(cwd, it))]),
    );
    assert.equal(alone.get("one")?.length, 1);
    // It is lowered in the one that moves, and nowhere else.
    assert.notDeepEqual(alone.get("two"), alone.get("one"));
    const runs = [[], ["."], all, ["one/src", "two/src", "three/load.ts", "typed"]];
    for (const paths of runs) {
      const report = found(cwd, ...paths);
      for (const it of all) {
        assert.deepEqual(
          ownOf(report, cwd, join(cwd, it)),
          alone.get(it),
          `${it}: ${paths.join(" ")}`,
        );
      }
      assert.equal(report.stats.files, 5);
    }
    for (const it of all) {
      const report = found(cwd, it);
      assert.deepEqual(ownOf(report, cwd, join(cwd, it)), alone.get(it));
      assert.deepEqual(ownOf(report, cwd, cwd), alone.get(it));
    }
  });

  it("the others are not even looked for", { skip: !HAS_PIPES, timeout: 120_000 }, () => {
    const cwd = folder(files);
    // Whoever walks through it waits for ever.
    pipe(join(cwd, "two"), ".gitignore");
    for (const args of [
      ["check", "one"],
      ["check", "one/src/load.ts", "three"],
      ["explain", "one/src/load.ts:5"],
      ["effects", "one/src/load.ts"],
      ["callgraph", "typed"],
      ["fix", "one"],
    ]) {
      const { stdout, signal } = ends(cwd, args);
      assert.equal(signal, null, args.join(" "));
      assert.notEqual(stdout, "", args.join(" "));
    }
  });

  it("all of it counts, whichever part is named", () => {
    const cwd = folder(files);
    assert.deepEqual(
      ownOf(found(cwd, "two/src/load.ts"), cwd, cwd),
      ownOf(found(join(cwd, "two")), join(cwd, "two"), join(cwd, "two")),
    );
  });

  it("fix writes in each that is named", async () => {
    const cwd = folder({ ...files, "two/src/moves.ts": "" });
    const { fixed } = await fix({ cwd, paths: ["one", "three"] });
    assert.deepEqual(
      fixed.map(({ file }) => file),
      ["one/src/load.ts", "three/load.ts"],
    );
  });
});

describe("a workspace is one program:", () => {
  const lists = {
    "package.json": name("all", { workspaces: ["packages/*"] }),
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
    "lerna.json": '{"packages":["packages/*"]}',
  };
  for (const [file, text] of Object.entries(lists)) {
    it(file, () => {
      const cwd = project({
        [file]: text,
        "packages/a/package.json": name("a"),
        "packages/a/load.ts": SLOW,
        "packages/b/package.json": name("b"),
        "packages/b/moves.ts": MOVES,
        "examples/e/package.json": name("e"),
        "examples/e/load.ts": SLOW,
      });
      const report = found(cwd);
      const a = join(cwd, "packages/a");
      const inWorkspace = ownOf(report, cwd, a);
      const alone = ownOf(report, cwd, join(cwd, "examples"));
      assert.equal(alone.length, 1);
      assert.notDeepEqual(inWorkspace, alone);
      assert.deepEqual(ownOf(found(a), a, a), inWorkspace);
    });
  }
});

describe("the root that a configuration names", () => {
  const files = {
    "one/package.json": name("one"),
    "one/load.ts": SLOW,
    "two/package.json": name("two"),
    "two/moves.ts": MOVES,
  };

  it("makes one program of all below it", () => {
    const apart = folder(files);
    const joined = folder({ ...files, "headstart.config.json": '{"root":"."}' });
    assert.notDeepEqual(
      ownOf(found(joined, "one"), joined, joined),
      ownOf(found(apart, "one"), apart, apart),
    );
    const one = join(joined, "one");
    assert.deepEqual(ownOf(found(one), one, one), ownOf(found(joined), joined, joined));
  });

  it("has no say elsewhere", () => {
    const cwd = folder({ ...files, "headstart.config.json": '{"root":"two"}' });
    const apart = folder(files);
    assert.deepEqual(ownOf(found(cwd, "one"), cwd, cwd), ownOf(found(apart, "one"), apart, apart));
  });
});

describe("what imports lead to in another project", () => {
  it("is known, and nothing is reported in it", () => {
    const shared = SLOW.replace("load", "read");
    const cwd = folder({
      "app/package.json": name("app"),
      "app/main.ts": `import { read } from "../shared/read.js";
export async function both(a: string, b: string): Promise<string[][]> {
  const one = await read(a);
  const two = await read(b);
  return [one, two];
}
`,
      "shared/package.json": name("shared"),
      "shared/read.ts": shared,
    });
    const { findings, stats } = found(cwd, "app");
    assert.deepEqual(
      findings.map(({ file }) => file),
      ["app/main.ts"],
    );
    assert.equal(stats.files, 1);
  });
});

describe("a path in no project", () => {
  it("is a program itself", () => {
    const cwd = folder({ "a/load.ts": SLOW, "b/moves.ts": MOVES });
    mkdirSync(join(cwd, "c"));
    const alone = ownOf(found(join(cwd, "a")), join(cwd, "a"), cwd);
    assert.deepEqual(ownOf(found(cwd, "a"), cwd, cwd), alone);
    assert.deepEqual(ownOf(found(cwd, "a/load.ts"), cwd, cwd), alone);
    assert.deepEqual(ownOf(found(cwd, "a", "b"), cwd, cwd), alone);
    assert.notDeepEqual(ownOf(found(cwd), cwd, cwd), alone);
  });
});
