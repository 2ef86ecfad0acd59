import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { CallGraphReport } from "../../src/report-types.js";
import { project } from "../temp.js";
import { headstart } from "./command.js";
import { SLOW } from "./fixtures.js";

/** Each has two calls inside of a function that waits, in a way of its own. */
const WAITING = {
  awaits: "async function it() { f(await f()); }",
  "at the top": "f(await f());",
  "in a loop": "async function it() { for await (const x of f()) f(x); }",
  "in a loop at the top": "for await (const x of f()) f(x);",
  "only returns": "export async function it() { f(); return f(); }",
  "an arrow": "export const it = async () => f(f());",
  "a generator": "export async function* it() { yield f(); f(); }",
  "a method": "export class It { async it() { f(); return f(); } }",
  disposes: "export async function it() { await using x = f(); f(x); }",
};
const F = "\nfunction f(x) { return x; }\n";

describe("callgraph counts calls inside functions that wait", () => {
  const files = Object.entries(WAITING).map(([name, text], index) => ({
    file: `f${String(index)}.mjs`,
    name,
    text: text + F,
  }));
  const cwd = project(Object.fromEntries(files.map(({ file, text }) => [file, text])));
  for (const { file, name } of files) {
    it(`where one ${name}`, () => {
      const { stdout, status } = headstart(cwd, ["callgraph", file]);
      assert.match(
        stdout,
        /^2 calls in 1 file, 2 of them inside functions that wait: 2 \(100\.0%\)/,
      );
      assert.equal(status, 0);
    });
  }

  it("in several files that are named, and in a folder", () => {
    const [first, second] = files;
    const two = headstart(cwd, ["callgraph", first?.file ?? "", second?.file ?? ""]).stdout;
    assert.match(two, /^4 calls in 2 files, 4 of them inside functions that wait/);
    const count = files.length;
    const all = headstart(cwd, ["callgraph"]).stdout;
    assert.equal(all.split(",", 1)[0], `${String(2 * count)} calls in ${String(count)} files`);
  });

  it("and says where there are none", () => {
    const none = project({ "a.mjs": `f();${F}` });
    const { stdout } = headstart(none, ["callgraph"]);
    assert.equal(stdout, "1 call in 1 file, none of them inside a function that waits.\n");
  });
});

describe("callgraph of some files", () => {
  const cwd = project({
    "a.ts": 'import { b } from "./b.js";\nexport const a = async () => b();\n',
    "b.ts": "export const b = () => 1;\n",
    "c.ts": "export const c = () => 2;\n",
  });

  it("knows what they call in others, and lists no calls of those", () => {
    assert.match(headstart(cwd, ["callgraph", "a.ts"]).stdout, /: 1 \(100\.0%\)/);
    const { stdout } = headstart(cwd, ["callgraph", "a.ts", "--format", "json"]);
    const graph = JSON.parse(stdout) as CallGraphReport;
    assert.deepEqual(graph.files, ["a.ts", "b.ts"]);
    assert.equal(Object.keys(graph.calls).length, 1);
    const [[, callee] = []] = graph.call2fun;
    assert.match(graph.functions[String(callee)] ?? "", /^1:1:/);
  });

  it("draws the same", () => {
    const { stdout } = headstart(cwd, ["callgraph", "a.ts", "--format", "dot"]);
    assert.match(stdout, /^digraph calls \{/);
    assert.match(stdout, /b\.ts:1/);
    assert.doesNotMatch(stdout, /c\.ts/);
  });
});

describe("callgraph and effects say what they could not look at:", () => {
  it("a file that does not parse, beside one that does", () => {
    const cwd = project({ "bad.ts": "const = 1;\n", "good.ts": SLOW });
    for (const command of ["callgraph", "effects"]) {
      const { stdout, stderr, status } = headstart(cwd, [command, "."]);
      assert.match(stderr, /skipped: bad\.ts:1:\d+: does not parse/);
      assert.notEqual(stdout, "");
      assert.equal(status, 0);
    }
  });

  it("and fail where nothing is left", () => {
    const cwd = project({ "bad.ts": "const = 1;\n", "worse.ts": "}\n", "notes.txt": "" });
    for (const files of [["bad.ts", "worse.ts"], ["bad.ts"], ["notes.txt"], ["."]]) {
      const { stderr, status } = headstart(cwd, ["callgraph", ...files]);
      assert.match(stderr, /^error: .*none of the files could be looked at$/m);
      assert.equal(status, 2);
    }
    assert.match(headstart(cwd, ["effects", "bad.ts"]).stderr, /^error: bad\.ts: does not parse/);
  });
});

describe("effects", () => {
  const cwd = project({ "a.ts": SLOW, "b/c.ts": SLOW, "none.ts": "export const x = 1;\n" });

  it("of several files name each", () => {
    const { stdout } = headstart(cwd, ["effects", "."]);
    assert.deepEqual(
      [...stdout.matchAll(/^(\S+\.ts):$/gm)].map(([, file]) => file),
      ["a.ts", "b/c.ts"],
    );
    assert.doesNotMatch(headstart(cwd, ["effects", "a.ts"]).stdout, /a\.ts/);
  });

  it("say that there are none", () => {
    const { stdout } = headstart(cwd, ["effects", "none.ts"]);
    assert.equal(stdout, "none.ts: no functions with a name\n");
  });
});
