// Programs of several files, through `optimize` with what they show of one another.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { optimize, readWhole } from "headstart";
import ts from "typescript";

import { assembled } from "./generate-files.mjs";

const withoutTypes = (code) =>
  ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  }).outputText;

/** A folder for one program after the other; `remove` takes it away. */
export class ProgramFolder {
  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), "headstart-whole-"));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * What becomes of CommonJS files, by their names: their texts, and the functions of all of them. `typescript`: they are taken for
   * TypeScript, which types are taken off behind.
   */
  async optimized(files, { typescript = false, ...options } = {}) {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder);
    const named = (name) => `${name}.${typescript ? "ts" : "js"}`;
    const place = (name) => path.join(this.folder, named(name));
    for (const [name, text] of Object.entries(files)) writeFileSync(place(name), text);
    const whole = await readWhole(this.folder);
    const texts = {};
    const functions = [];
    for (const [name, text] of Object.entries(files)) {
      const known = whole.get(place(name));
      const done = optimize(text, { ...options, file: named(name), commonjs: true }, known);
      texts[name] = typescript ? withoutTypes(done.code) : done.code;
      functions.push(...done.functions);
    }
    return { files: texts, functions };
  }

  /** As `optimize` answers, with the files put together. */
  async assembled(files, options) {
    try {
      const done = await this.optimized(files, options);
      return { code: assembled(done.files), functions: done.functions, error: null };
    } catch (error) {
      return { error: String(error) };
    }
  }
}
