// Headstart, on copies of the programs.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const CLI = fileURLToPath(new URL("../../packages/headstart/dist/cli.js", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));

/** @typedef {{ level: string, assumptions: string[], blockers: string[], isRewritten: boolean }} Finding */

/**
 * @param {string} folder @param {string[]} args
 * @returns {string} what it prints; findings make it end with 1, which is no failure
 */
function headstart(folder, args) {
  return execFileSync(process.execPath, [CLI, ...args], { cwd: folder, encoding: "utf8" });
}

/** Makes a project of the programs as they are. @param {string} folder */
export function copyPrograms(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(HERE, "cases"), join(folder, "cases"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  symlinkSync(join(HERE, "node_modules"), join(folder, "node_modules"));
}

/** @param {string} folder @returns {(name: string) => Finding[]} the findings in the program of that name */
export function check(folder) {
  const args = ["check", ".", "--format", "json", "--level", "hint", "--deny", "none"];
  const { findings } = JSON.parse(headstart(folder, args));
  return (name) =>
    findings
      .filter((/** @type {any} */ { file }) => file === `cases/${name}.ts`)
      .map((/** @type {any} */ finding) => ({ ...finding, isRewritten: !!finding.replacement?.length }));
}

/** @param {string} folder whose programs are rewritten, and compiled */
export function fix(folder) {
  headstart(folder, ["fix", ".", "--level", "likely"]);
}

/** Takes the types away, beside each program. @param {string} folder */
export function compile(folder) {
  for (const file of readdirSync(join(folder, "cases"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const path = join(folder, "cases", file);
    const { outputText } = ts.transpileModule(readFileSync(path, "utf8"), {
      fileName: path,
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        useDefineForClassFields: false,
      },
    });
    writeFileSync(path.replace(/\.ts$/, ".js"), outputText);
  }
}
