// What type-checked before a rewrite does so after it (the contract, 4): the TypeScript programs of all
// specifications, before and after, in one run of the compiler.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OPTIONS = {
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [join(ROOT, "node_modules/@types")],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  // Each program is a module of its own, whether it says so or not.
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
};

/** The cases with a TypeScript program that is rewritten: its files before, and the first one after. */
function cases(text) {
  const found = [];
  let current;
  const parts = text.split(/^(?=#{2,} )/m);
  for (const part of parts) {
    current = { title: part.split("\n", 1)[0].replace(/^#+ /, ""), files: [], after: undefined };
    for (const [, info, code] of part.matchAll(/^```(\S+ (?:before|after)[^\n]*)\n(.*?)^```/gms)) {
      const [language, kind] = info.split(" ");
      const name = /file=(\S+)/.exec(info)?.[1] ?? `main.${language}`;
      if (kind === "before") current.files.push({ name, code });
      else if (language === "ts" || language === "tsx") current.after = code;
    }
    if (current.after !== undefined && current.files.length > 0) found.push(current);
  }
  return found;
}

const folder = mkdtempSync(join(tmpdir(), "headstart-spec-types-"));
after(() => rmSync(folder, { recursive: true }));

const written = [];
const pages = ["tests/specs", "docs"].flatMap((it) =>
  readdirSync(join(ROOT, it), { recursive: true })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(it, name)),
);
for (const page of pages) {
  for (const found of cases(readFileSync(join(ROOT, page), "utf8"))) {
    const number = written.length;
    for (const when of ["before", "after"]) {
      found.files.forEach(({ name, code }, index) => {
        const file = join(folder, `${number}-${when}`, name);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, when === "after" && index === 0 ? found.after : code);
      });
    }
    written.push({ ...found, page });
  }
}

const names = written.flatMap(({ files }, number) =>
  ["before", "after"].flatMap((when) =>
    files.map(({ name }) => join(folder, `${number}-${when}`, name)),
  ),
);
const program = ts.createProgram(names, OPTIONS);
/** What the compiler says of each folder, without the places. */
const said = new Map();
for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
  if (diagnostic.file === undefined) continue;
  const [of] = relative(folder, diagnostic.file.fileName).split(/[\\/]/);
  const text = `TS${diagnostic.code}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`;
  // Some messages name the file that they speak of: before and after lie in two folders.
  const told = text.replaceAll(join(folder, of), "");
  said.set(of, [...(said.get(of) ?? []), told]);
}

it("there are such specifications", () => assert.ok(written.length > 20, `${written.length}`));

for (const [number, { page, title }] of written.entries()) {
  it(`${page}: ${title}`, () => {
    const before = said.get(`${number}-before`) ?? [];
    const now = said.get(`${number}-after`) ?? [];
    const fresh = now.filter((it) => !before.includes(it));
    assert.deepEqual(fresh, []);
  });
}
