// What belongs to a file rather than to a function: its directives, its comments, the name of its source map.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "headstart";
import ts from "typescript";

const outcomes = (text, options) =>
  Object.fromEntries(optimize(text, options).functions.map((it) => [it.name, it.outcome]));

describe("a directive of the file", () => {
  const exported = `
export async function declared(a) { return await inner(a); }
export const arrow = async (a) => inner(a);
async function listed(a) { return await inner(a); }
const wrapped = cached(async (a) => inner(a));
export async function asks(a) { "perhaps async"; return await inner(a); }
async function inner(a) { if (a) return a; return await fetch(a); }
async function hidden(a) { return await inner(a); }
hidden(1);
export { listed, wrapped };
export default async (a) => inner(a);
`;
  const isAsync = (code, text) => assert.ok(code.includes(text), `${text}\n${code}`);

  for (const directive of ["use server", "use cache", "use cache: private", "use workflow"]) {
    it(`that a tool looks for keeps what is exported async: ${directive}`, () => {
      const text = `"${directive}";${exported}`;
      const { code } = optimize(text, { file: "actions.js" });
      assert.ok(code.startsWith(`"${directive}";`));
      isAsync(code, "export async function declared(a)");
      isAsync(code, "arrow = async (a)");
      isAsync(code, "async function listed(a)");
      isAsync(code, "cached(async (a)");
      isAsync(code, "export async function asks(a)");
      isAsync(code, "export default async (a)");
      const { asks, declared, hidden } = outcomes(text, { file: "actions.js" });
      assert.match(asks.reason, /a directive of the file/);
      assert.match(declared.reason, /remains a wrapper: who gets it may ask/);
      assert.equal(hidden.kind, "unwrapped");
    });
  }

  for (const directive of ["use strict", "use client"]) {
    it(`that demands nothing leaves it as it would be: ${directive}`, () => {
      const found = outcomes(`"${directive}";${exported}`, { file: "actions.js" });
      assert.match(found.declared.reason, /may ask whether it is an async function/);
      assert.equal(found.asks.kind, "converted");
    });
  }
});

/** The declarations of a file, without what is internal. */
function declarationsOf(text, file) {
  const options = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    allowJs: true,
    types: [],
    outDir: "/out",
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, text, version, true) : getSourceFile(name, version);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  let declared = "";
  ts.createProgram([file], options, host).emit(undefined, (_, written) => (declared += written));
  return declared;
}

describe("a doc comment stays with what it is about", () => {
  const ASKS = '"perhaps async"; return await x;';
  const cases = {
    "a method behind a field": `export class A {
  p = 1
  /** @deprecated Use n. */ async m(x: number): Promise<number> { ${ASKS} }
  q = 1 // One.
  /** @internal */
  async i(x: number): Promise<number> { ${ASKS} }
  r = 1/** Near. */
  // Not a doc comment.

  /** Two. */ /** @internal */
  async j(x: number): Promise<number> { ${ASKS} }
}`,
    "a static method": `export class A {
  static q = {}
  /** @deprecated Use n. */
  static async m(x: number): Promise<number> { ${ASKS} }
}`,
    "the first statement": `/** Doubles. @deprecated Use other. */
export async function f(x: number): Promise<number> { ${ASKS} }
export async function g(x: number): Promise<number> { ${ASKS} }`,
    "the first statement, which is internal": `/* @internal */
export async function f(x: number): Promise<number> { ${ASKS} }
export async function g(x: number): Promise<number> { ${ASKS} }`,
    "the first statement behind a directive": `"use client";

/** Doubles. */
export async function f(x: number): Promise<number> { ${ASKS} }`,
    "a constant with a fast form beside it": `/** Known. */
export const known = async (x: number): Promise<number> => (x > 0 ? x : await fetch("").then(() => 1));
export async function all(x: number): Promise<number> { await null; return (await known(x)) + 1; }`,
    "a constant behind what speaks to compilers": `/// <reference lib="dom" />
/** Known. */
export const known = async (x: number): Promise<number> => (x > 0 ? x : await fetch("").then(() => 1));
export async function all(x: number): Promise<number> { await null; return (await known(x)) + 1; }`,
  };
  for (const [name, text] of Object.entries(cases)) {
    it(name, () => {
      const { code, changed } = optimize(text, { file: "/docs.ts" });
      assert.ok(changed);
      const before = declarationsOf(text, "/docs.ts");
      assert.equal(declarationsOf(code, "/docs.ts"), before);
      assert.match(before, /export/);
    });
  }

  it("in JavaScript", () => {
    const text = `/** @param {number} x @returns {Promise<number>} */
export async function f(x) { ${ASKS} }`;
    const { code } = optimize(text, { file: "/docs.js" });
    assert.equal(declarationsOf(code, "/docs.js"), declarationsOf(text, "/docs.js"));
  });
});

it("a comment about the module stays the first of the file", () => {
  for (const tag of ["@module docs", "@packageDocumentation", "@file Docs.", "@license MIT"]) {
    const text = `/** ${tag} */\n\n/** Doubles. */\nexport async function f(x) { "perhaps async"; return await x; }\n`;
    const { code } = optimize(text, { file: "docs.js" });
    assert.ok(code.startsWith(`/** ${tag} */\n`), code);
    assert.match(code, /\n\/\*\* Doubles\. \*\/\nexport function f/);
  }
});

it("a class whose fields need no semicolon gets one where the method behind them needs it", () => {
  const text = `async function g(x) { await null; return x; }
export class A {
  p = {}
  async ["m"](x) { "perhaps async"; return await g(x); }
  q = 1
  async in(x) { "perhaps async"; return await g(x); }
}`;
  const { code, functions } = optimize(text, { file: "class.js" });
  assert.equal(functions.filter((it) => it.outcome.kind === "converted").length, 2);
  assert.match(code, /p = \{\}\s*;\["m"\]/);
});

describe("the comment that names a source map", () => {
  const f = `export async function f(x) { "perhaps async"; return await x; }`;
  const named = [
    "//# sourceMappingURL=f.js.map",
    "//@ sourceMappingURL=f.js.map",
    "/*# sourceMappingURL=f.js.map */",
    "//# sourceMappingURL=data:application/json;base64,e30=",
  ];

  it("goes where the code changes", () => {
    for (const comment of named) {
      for (const sourceMap of [false, true]) {
        const { code } = optimize(`${f}\n${comment}\n`, { file: "f.js", sourceMap });
        assert.doesNotMatch(code, /sourceMappingURL/);
      }
    }
    const earlier = optimize(`${named[0]}\n${f}\n${named[0]}`, { file: "f.js" });
    assert.doesNotMatch(earlier.code, /sourceMappingURL/);
  });

  it("stays where nothing does, and so does what only looks like one", () => {
    const plain = `export const x = 1;\n${named[0]}\n`;
    assert.equal(optimize(plain, { file: "f.js" }).code, plain);
    const text = `${f}\nexport const t = \`\n${named[0]}\n\`;`;
    assert.ok(optimize(text, { file: "f.js" }).code.includes(named[0]));
  });
});
