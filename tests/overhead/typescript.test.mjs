// TypeScript stays TypeScript: what `tsc --strict` and its stricter options had nothing against, it has
// nothing against afterwards, and other files see the same types and the same results.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { pathToFileURL } from "node:url";

import { optimize, optimizeAsync, readWhole } from "headstart";
import ts from "typescript";

const FOLDER = new URL("typescript/", import.meta.url);
const FILES = readdirSync(FOLDER);

/** Files whose types are others where they need not be kept. */
const LOSING = ["flowing", "kept", "literals", "parameters", "untyped"];

/** Everything that `tsc` can be strict about, but for what forbids constructs. */
const OPTIONS = {
  strict: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: false,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  exactOptionalPropertyTypes: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  jsx: ts.JsxEmit.React,
  jsxFactory: "make",
};

const root = mkdtempSync(join(tmpdir(), "headstart-types-"));
after(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, "package.json"), '{ "type": "module" }');
/** The output, by the folder that it is put into. */
const OUTPUTS = {
  after: { ticks: "relaxed" },
  exact: { ticks: "exact" },
  erased: { ticks: "relaxed", keepTypes: false },
  whole: { ticks: "relaxed", whole: true },
};

for (const folder of ["before", ...Object.keys(OUTPUTS)]) mkdirSync(join(root, folder));
const outcomes = {};
const texts = FILES.map((file) => [file, readFileSync(new URL(file, FOLDER), "utf8")]);
for (const [file, text] of texts) writeFileSync(join(root, "before", file), text);
const whole = await readWhole(join(root, "before"));

for (const [file, text] of texts) {
  for (const [folder, { whole: isWhole, ...options }] of Object.entries(OUTPUTS)) {
    const known = isWhole ? whole.get(join(root, "before", file)) : undefined;
    const { code, functions } = await optimizeAsync(text, { file, ...options }, known);
    const converted = functions.filter((it) => it.outcome.kind === "converted").length;
    outcomes[folder] = { ...outcomes[folder], [file]: converted };
    writeFileSync(join(root, folder, file), code);
  }
}

const problems = (program) =>
  ts
    .getPreEmitDiagnostics(program)
    .map(
      (it) =>
        `${it.file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(it.messageText, "\n")}`,
    );

function programOf(folder, more = {}) {
  const files = FILES.map((it) => join(root, folder, it));
  return ts.createProgram(files, { ...OPTIONS, noEmit: true, ...more });
}

it("is what it was to tsc --strict", () => {
  assert.deepEqual(problems(programOf("before")), []);
  for (const folder of Object.keys(OUTPUTS)) assert.deepEqual(problems(programOf(folder)), []);
  for (const file of FILES) {
    assert.ok(outcomes.after[file] > 0, file);
    assert.ok(outcomes.erased[file] > 0, file);
  }
  assert.ok(outcomes.exact["functions.ts"] > 0);
  assert.ok(outcomes.whole["literals.ts"] > outcomes.after["literals.ts"] + 4);
});

it("exports the same types", () => {
  const declared = (folder) => {
    const texts = {};
    const program = programOf(folder, {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
    });
    program.emit(undefined, (name, text) => {
      // Patterns that are bound elsewhere have no name that anybody uses.
      texts[name.slice(join(root, folder).length)] = text;
    });
    return texts;
  };
  const shapes = (texts) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        text
          .replaceAll(/\/\/.*|\/\*\*[^]*?\*\//g, "")
          .replaceAll(/\$p\d*(\??):/g, "_$1:")
          .replaceAll(/(?:\{ (?:deep|k) \}|\[p\])(\??):/g, "_$1:")
          .replaceAll(/\s+/g, " ")
          .trim(),
      ]),
    );
  const before = shapes(declared("before"));
  for (const folder of ["after", "exact", "whole"])
    assert.deepEqual(shapes(declared(folder)), before);
  // Tools that take the types off look at most of them: what follows in a simple way is the same here, too.
  const others = ([name]) => !LOSING.some((it) => name.startsWith(`/${it}.`));
  const erased = Object.entries(shapes(declared("erased"))).filter(others);
  assert.deepEqual(erased, Object.entries(before).filter(others));
});

it("leaves alone what has parameters whose types would be lost, and says so", () => {
  const text = readFileSync(new URL("parameters.ts", FOLDER), "utf8");
  const { functions } = optimize(text, { file: "parameters.ts" });
  const lost = functions.filter((it) => it.outcome.reason?.includes("type of a parameter"));
  assert.deepEqual(
    lost.map((it) => it.name),
    ["shadow", "taken", "listed", "key", "narrowed", "asked", "known"],
  );
  const erased = optimize(text, { file: "parameters.ts", keepTypes: false });
  assert.ok(erased.functions.every((it) => !it.outcome.reason?.includes("type of a parameter")));
});

it("declares by itself what it did", () => {
  const isolated = { declaration: true, isolatedDeclarations: true };
  const [before, ...others] = ["before", "after", "exact"].map((folder) => {
    const options = { ...OPTIONS, ...isolated, outDir: join(root, "isolated") };
    const program = ts.createProgram([join(root, folder, "parameters.ts")], options);
    return problems(program).map((it) => it.replace(/^.*?: /, ""));
  });
  // What TypeScript has to look at other declarations for, it never took.
  assert.ok(before.length > 0 && before.every((it) => it.includes("isolatedDeclarations")));
  for (const found of others) {
    assert.ok(found.length <= before.length && found.every((it) => before.includes(it)));
  }
});

it("runs as it did", async () => {
  const results = {};
  for (const folder of ["before", ...Object.keys(OUTPUTS)]) {
    const program = programOf(folder, { noEmit: false, outDir: join(root, `${folder}-js`) });
    program.emit();
    const load = (name) => import(pathToFileURL(join(root, `${folder}-js`, name)).href);
    const functions = await load("functions.js");
    const { Store, use, Shapes, Base, default: last } = await load("classes.js");
    const { list } = await load("component.js");
    const { default: common } = await load("common.cjs");
    const { name, user, label, Names, all } = await load("untyped.js");
    const inferred = await load("inferred.js");
    const { everything } = await load("namespaces.js");
    const { targets, anonymous, named } = await load("casts.js");
    const literals = await load("literals.js");
    const params = await load("parameters.js");
    const flowing = await load("flowing.js");
    const flown = ["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "inner"].map((it) =>
      flowing[it](),
    );
    const store = new Store(7, 2);
    results[folder] = [
      await functions.calls(),
      await functions.parse(" a "),
      await functions.parse(1),
      await functions.bound.call({ base: 1 }, 2),
      await functions.withDefaults(() => 3, undefined, undefined, undefined, "x", "y", "z"),
      await functions.listed("a"),
      await functions.listed("a", undefined, 3, "x", "y"),
      await functions.arrow(1_200),
      await functions.guarded(() => Promise.reject(new Error("no"))),
      await functions.asked(1, (x) => Promise.resolve(x)),
      await functions.first([{ id: 1 }, { id: 2 }], (it) => it.id > 1),
      await use(store),
      await last(store, "kind"),
      await Shapes.area(3),
      await Base.count(),
      await list(2),
      await common.two(2),
      await inferred.all(),
      await everything(),
      [await targets(1), await anonymous(1), await named()],
      await literals.run(),
      [
        await params.literals(1),
        await params.arrow(1),
        await new params.Literals().method({ k: 1 }),
      ],
      [await params.shadow({ a: 1 }), await params.taken(1), await params.listed(1)],
      [await params.key(1), await params.narrowed(5), await params.asked({ a: 1 })],
      [await params.constants(1), await params.constants(1, 2, "t", false)],
      [await params.outer(), await params.calls()],
      JSON.stringify(await Promise.all(flown)),
      [await name(), await name("a"), await user("b"), await label(3), await label(3, "l")],
      [await new Names().first("c"), await all(["d", "e"])],
      [functions.withDefaults.length, functions.bound.length, Store.prototype.set.length],
    ];
  }
  assert.deepEqual(results.after, results.before);
  assert.deepEqual(results.exact, results.before);
  assert.deepEqual(results.erased, results.before);
  assert.deepEqual(results.whole, results.before);
});

it("leaves what speaks to compilers where they look for it", () => {
  const text = `#!/usr/bin/env node
// A file.
/// <reference types="node" />
/** @jest-environment node */

/** Says so. */
export async function f(x: number): Promise<number> { return x > 0 ? await f(x - 1) : 0; }
`;
  const { code } = optimize(text, { file: "f.ts" });
  const [hashbang, unchecked, ...rest] = code.split("\n");
  assert.equal(hashbang, "#!/usr/bin/env node");
  assert.equal(unchecked, "// @ts-nocheck");
  assert.ok(rest.join("\n").startsWith(text.split("\n").slice(1, 5).join("\n")), code);
  assert.match(
    code,
    /\/\*\* Says so\. \*\/\nexport async function f\(x: number\): Promise<number>/,
  );
});

it("is JavaScript where another tool has compiled it before, and types need not be kept", () => {
  const text = `async function f(x) { "perhaps async"; let s = 0; for (const it of [x, await x]) s += await it; return s; }
class K { async m(x) { return (await f(x)) + (await this.n(x)); } async n(x) { await null; for (const it of [1, x]) await this.m(it); return x; } }
export { f, K };
`;
  const runs = (code) => new Function(code.replace(/^export .*$/m, ""));
  for (const file of ["program.ts", "program.mts"]) {
    const { code, functions } = optimize(text, { file, keepTypes: false });
    assert.ok(functions.some((it) => it.outcome.kind === "converted"));
    runs(code);
    const typed = optimize(text.replace("(x)", "(x: number): Promise<number>"), {
      file,
      keepTypes: false,
    });
    assert.throws(() => runs(typed.code), SyntaxError);
  }
});
