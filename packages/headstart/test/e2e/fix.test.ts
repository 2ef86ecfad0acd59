import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { HAS_TERMINAL, headstart, onTerminal, run, start } from "./command.js";
import { GUARDED, many, SLOW } from "./fixtures.js";

function read(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}

describe("fix", () => {
  it("rewrites what is safe, and only that", () => {
    const cwd = project({ "load.ts": SLOW, "list.ts": GUARDED });
    const { status, stdout } = headstart(cwd, ["fix"]);
    assert.equal(status, 0);
    assert.match(stdout, /load\.ts|1 file/);
    assert.match(read(cwd, "load.ts"), /Promise\.all/);
    assert.equal(read(cwd, "list.ts"), GUARDED);
    assert.equal(headstart(cwd, ["check"]).status, 0);
  });

  it("changes nothing the second time", () => {
    const cwd = project({ "load.ts": SLOW });
    headstart(cwd, ["fix"]);
    const once = read(cwd, "load.ts");
    assert.equal(headstart(cwd, ["fix"]).status, 0);
    assert.equal(read(cwd, "load.ts"), once);
  });

  it("names what stands beside a finding that another level takes in", () => {
    const texts = `import { readFile, stat } from "node:fs/promises";
import { Redis } from "ioredis";
const redis = new Redis();
export async function main(took) {
  const v3 = await readFile(ROOT + "/e", "utf8");
  let v4 = await readFile("d", "utf8");
  const v5 = await readFile(\`d/\${v4}\`, "utf8");
  const v6 = \`\${await readFile("d", "utf8")} \${await readFile("d", "utf8")}\`;
  let v7 = "none";
  try {
    const v8 = await redis.get("k1");
    const v9 = await readFile("e", "utf8");
    const v12 = await stat("d");
    v7 = [v3, v4, v5, v6, v8, v9, \`\${v12.size}\`].join(" ");
  } finally {
  }
  const v13 = \`\${await readFile(\`d/\${v4}\`, "utf8")} \${await readFile("k", "utf8")}\`;
  return [v7, v13];
}
`;
    const cwd = project({ "main.mjs": texts });
    const { stderr } = headstart(cwd, ["fix", "--level", "safe"]);
    assert.doesNotMatch(stderr, /would not parse/);
    const names = read(cwd, "main.mjs").match(/const \[readFileResult\w*, readFileResult\w*\]/g);
    assert.equal(new Set(names).size, 2);
  });

  it("leaves loops alone that are compiled to ECMAScript 5", () => {
    const loop = `import { readFile } from "fs/promises";
export async function texts() {
  const all: string[] = [];
  for (const name of ["a.txt", "b.txt"]) {
    const text = await readFile(name, "utf8");
    all.push(text);
  }
  return all;
}
`;
    const compiled = (options: string): string => {
      const config = `{ "compilerOptions": ${options} }`;
      const extending = '{ "extends": "./base.json" }';
      const cwd = project({ "base.json": config, "tsconfig.json": extending, "loop.ts": loop });
      assert.equal(headstart(cwd, ["fix"]).status, 0);
      return read(cwd, "loop.ts");
    };
    assert.equal(compiled('{ "target": "ES5", "module": "commonjs" }'), loop);
    assert.match(compiled('{ "target": "es2022", "module": "nodenext" }'), /startAhead/);
  });

  it("puts narrowed variables into functions where the compiler keeps their types there", () => {
    const loop = `import { readFile } from "fs/promises";
export async function texts(folder: string | undefined) {
  folder = folder || process.env.HOME;
  if (!folder) return [];
  const all: string[] = [];
  for (const name of ["a.txt", "b.txt"]) {
    const text = await readFile(folder + name, "utf8");
    all.push(text);
  }
  return all;
}
`;
    const rewritten = (typescript: string, text = loop): string => {
      const manifest = JSON.stringify({ devDependencies: { typescript } });
      const cwd = project({ "package.json": manifest, "loop.ts": text });
      assert.equal(headstart(cwd, ["fix", "--level", "likely"]).status, 0);
      return read(cwd, "loop.ts");
    };
    assert.match(rewritten("^5.4.2"), /startAhead/);
    assert.equal(rewritten("^5.3.0"), loop);
    assert.equal(rewritten("catalog:"), loop);
    const changed = loop.replace("  return all;", "  folder = undefined;\n  return all;");
    assert.equal(rewritten("^5.9.0", changed), changed);
  });

  it("does not take its level from the configuration", () => {
    const config = { "headstart.config.json": '{"level":"hint"}' };
    const cwd = project({ ...config, "list.ts": GUARDED });
    assert.equal(headstart(cwd, ["fix"]).status, 0);
    assert.equal(read(cwd, "list.ts"), GUARDED);
  });

  it("exits with 2 for a path that is not there", () => {
    const { status, stderr } = headstart(project(), ["fix", "nowhere"]);
    assert.equal(status, 2);
    assert.match(stderr, /nowhere/);
  });

  it("may run twice at once", async () => {
    const files = many(60);
    const cwd = project(files);
    const expected = project(files);
    headstart(expected, ["fix"]);
    const outcomes = await Promise.all([start(cwd, ["fix"]), start(cwd, ["fix"])]);
    // The one that comes late may find a file changed under it, and says so.
    for (const { status, stderr } of outcomes) assert.ok(status === 0 || status === 2, stderr);
    // Whatever was left over is done by a third run.
    headstart(cwd, ["fix"]);
    for (const file of Object.keys(files)) assert.equal(read(cwd, file), read(expected, file));
  });
});

describe("fix --diff", () => {
  it("prints a patch that git applies, and writes nothing", () => {
    const cwd = project({ "src/load.ts": SLOW });
    const { status, stdout } = headstart(cwd, ["fix", "--diff"]);
    assert.equal(status, 0);
    assert.equal(read(cwd, "src/load.ts"), SLOW);
    applied(cwd, stdout);
    const patched = read(cwd, "src/load.ts");
    const fixed = project({ "src/load.ts": SLOW });
    headstart(fixed, ["fix"]);
    assert.equal(patched, read(fixed, "src/load.ts"));
  });

  it("keeps the ends of lines as they are, missing ones too", () => {
    const text = SLOW.replaceAll("\n", "\r\n").trimEnd();
    const cwd = project({ "load.ts": text });
    applied(cwd, headstart(cwd, ["fix", "--diff"]).stdout);
    assert.match(read(cwd, "load.ts"), /Promise\.all/);
    assert.doesNotMatch(read(cwd, "load.ts"), /[^\r]\n|\n$/);
  });

  it("prints nothing when there is nothing to change", () => {
    assert.equal(headstart(project({ "a.ts": GUARDED }), ["fix", "--diff"]).stdout, "");
  });
});

function applied(cwd: string, patch: string): void {
  run("git", ["init", "--quiet"], cwd);
  const { status, stderr } = run("git", ["apply", "--whitespace=nowarn", "-"], cwd, {}, patch);
  assert.equal(status, 0, stderr);
}

const PROMPT = "[q]uit ";

describe("fix --interactive", () => {
  it("refuses to ask a pipe", () => {
    const { status, stdout, stderr } = headstart(project(), ["fix", "--interactive"]);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^error: [^\n]*needs a terminal[^\n]*\n$/);
  });

  describe("on a terminal", { skip: !HAS_TERMINAL }, () => {
    it("applies what is accepted", async () => {
      const cwd = project({ "a.ts": SLOW, "b.ts": SLOW, "c.ts": SLOW });
      const { status, stdout } = await onTerminal(
        cwd,
        ["fix", "--interactive"],
        [
          [PROMPT, "n\r"],
          [PROMPT, "y\r"],
          [PROMPT, "q\r"],
        ],
      );
      assert.equal(status, 0);
      assert.match(stdout, /\(1\/3\) Apply\?/);
      assert.equal(read(cwd, "a.ts"), SLOW);
      assert.match(read(cwd, "b.ts"), /Promise\.all/);
      assert.equal(read(cwd, "c.ts"), SLOW);
    });

    it("tells equal code in files of equal name apart", async () => {
      const cwd = project({ "a/index.ts": SLOW, "b/index.ts": SLOW });
      await onTerminal(
        cwd,
        ["fix", "--interactive"],
        [
          [PROMPT, "y\r"],
          [PROMPT, "n\r"],
        ],
      );
      assert.match(read(cwd, "a/index.ts"), /Promise\.all/);
      assert.equal(read(cwd, "b/index.ts"), SLOW);
    });

    it("applies nothing on Ctrl-C", async () => {
      const cwd = project({ "a.ts": SLOW, "b.ts": SLOW });
      const { status, stdout } = await onTerminal(
        cwd,
        ["fix", "--interactive"],
        [
          [PROMPT, "y\r"],
          [PROMPT, "\u0003"],
        ],
      );
      assert.equal(status, 130);
      assert.match(stdout, /Nothing was changed/);
      assert.equal(read(cwd, "a.ts"), SLOW);
    });

    it("does not ask when there is nothing to ask about", async () => {
      const outcome = await onTerminal(project({ "a.ts": GUARDED }), ["fix", "--interactive"]);
      assert.equal(outcome.status, 0);
      assert.match(outcome.stdout, /Nothing to fix/);
    });
  });
});
