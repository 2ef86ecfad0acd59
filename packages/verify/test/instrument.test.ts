import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { instrument, type Instrumented, type NumberedSite } from "../src/instrument.js";

function sited(text: string, before: string, after: string): NumberedSite {
  const start = text.indexOf(before);
  const stretch = { start, end: start + before.length };
  const edits = [{ ...stretch, text: after }];
  return { id: 1, file: "a.ts", line: 1, title: "", level: "safe", statements: [stretch], edits };
}

function lost({ operations }: Instrumented): string[] {
  return [...operations.values()].flat().flatMap((it) => (it.lost ? [it.label] : []));
}

describe("instrument", () => {
  const before =
    "const a: string = await one<string>();\n  const b = await two(async () => await three());";
  const after =
    "const [a, b]: [string, any] = await Promise.all([one<string>(), two(async () => await three())]);";
  const text = `async function f() {\n  ${before}\n  return [a, b];\n}\n`;
  const result = instrument("a.ts", text, [sited(text, before, after)]);

  it("puts a call around what is awaited, and not around what functions in it await", () => {
    assert.deepEqual(
      result.operations.get(1)?.map(({ label }) => label),
      ["one<string>()", "two(async () => await three())"],
    );
    assert.match(
      result.original,
      /await __headstartOp\(__headstartAt\(1,0\),one<string>\(\)\);\n {2}const b = await __headstartOp\(__headstartAt\(1,1\),two\(async/,
    );
  });

  it("finds the same operations behind the rewrite", () => {
    assert.deepEqual(lost(result), []);
    assert.match(
      result.rewritten,
      /Promise\.all\(\[__headstartOp\(__headstartAt\(1,0\),one<string>\(\)\), __headstartOp\(__headstartAt\(1,1\),two\(async \(\) => await three\(\)\)\)\]\)/,
    );
  });

  it("takes a function that two rewrites put at the end of the file for no part of either", () => {
    const loop = (list: string): string => `for (const x of ${list}) await get(x);`;
    const text = `async function f() {\n  ${loop("a")}\n  ${loop("b")}\n}\n`;
    const helper = {
      start: text.length,
      end: text.length,
      text: "function* ahead(get, x) { get(x); }\n",
    };
    const sites = ["a", "b"].map((list, index): NumberedSite => {
      const site = sited(
        text,
        loop(list),
        `for (const p of ahead(${list}, (x) => get(x))) await p;`,
      );
      return { ...site, id: index + 1, edits: [...site.edits, helper] };
    });
    const both = instrument("a.ts", text, sites);
    assert.equal(both.rewritten.match(/function\* ahead/g)?.length, 1);
    assert.deepEqual(lost(both), []);
    assert.match(
      both.rewritten,
      /ahead\(a, \(x\) => __headstartOp\(__headstartAt\(1,0\),get\(x\)\)\)/,
    );
    assert.match(
      both.rewritten,
      /ahead\(b, \(x\) => __headstartOp\(__headstartAt\(2,0\),get\(x\)\)\)/,
    );
    assert.match(both.rewritten, /\{ get\(x\); \}/);
  });

  it("leaves every line where it was", () => {
    const [before, after] = [text.split("\n"), result.original.split("\n")];
    // Behind the last line stands what the calls lead to.
    assert.equal(after.length, before.length + 2);
    for (const [index, line] of before.entries()) {
      const kept = line.replace(/(?<=await ).*/, "");
      assert.ok(after[index]?.startsWith(kept), line);
    }
  });

  it("delays no operation in one of the two only: what is not found again counts as a probe", () => {
    const gone = instrument("a.ts", text, [
      sited(text, before, "const [a, b] = await both(one<string>(), 2);"),
    ]);
    assert.deepEqual(lost(gone), ["two(async () => await three())"]);
    assert.match(gone.original, /__headstartAt\(1,0\),one<string>\(\)\)/);
    assert.match(gone.original, /__headstartAt\(1,-1\),two\(/);
    assert.match(gone.rewritten, /__headstartAt\(1,0\),one<string>\(\)\)/);
    assert.doesNotMatch(gone.rewritten, /__headstartAt\(1,-?1\)/);
  });

  it("finds an operation whose types the rewrite leaves behind", () => {
    const source = "async function g() {\n  const a = await (load() as Promise<any>)!;\n}\n";
    const made = instrument("a.ts", source, [
      sited(
        source,
        "const a = await (load() as Promise<any>)!;",
        "const p = load();\n  const a = await (p as Promise<any>)!;",
      ),
    ]);
    assert.deepEqual(lost(made), []);
    assert.match(made.rewritten, /const p = __headstartOp\(__headstartAt\(1,0\),load\(\)\);/);
  });

  it("reads JavaScript with JSX and types of Flow", () => {
    const source = "async function g(p: any) {\n  const a = await p;\n  return <b>{a}</b>;\n}\n";
    const { original } = instrument("a.jsx", source, [
      sited(source, "const a = await p;", "const a = await p;"),
    ]);
    assert.match(original, /await __headstartOp\(__headstartAt\(1,0\),p\);/);
  });
});
