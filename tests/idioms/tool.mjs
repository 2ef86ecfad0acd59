// Headstart, on copies of the programs.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { idioms } from "./idioms.mjs";

const CLI = fileURLToPath(new URL("../../packages/headstart/dist/cli.js", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Decorators as TypeORM wants them: the old ones, with the types of what they stand at. */
const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
};

/** @typedef {{ level: string, blockers: { reason: string }[] }} Finding */

/**
 * @param {string} folder @param {string[]} args
 * @returns {string} what it prints
 */
function headstart(folder, args) {
  const options = { cwd: folder, encoding: /** @type {const} */ ("utf8"), maxBuffer: 2 ** 26 };
  return execFileSync(process.execPath, [CLI, ...args], { ...options, stdio: "pipe" });
}

/**
 * Makes a project of each program: what one program does must not weaken what is found in another.
 *
 * @param {string} folder @param {string[]} names of the idioms
 * @param {string} generated a folder with files that are not in cases/
 */
export function copyPrograms(folder, names, generated) {
  for (const name of names) {
    const { files = [], isGenerated } = idioms[name];
    const project = join(folder, name);
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "package.json"), JSON.stringify({ name, type: "module" }));
    symlinkSync(join(HERE, "node_modules"), join(project, "node_modules"));
    for (const file of [`${name}.ts`, ...files])
      copyFileSync(join(HERE, "cases", file), join(project, file));
    if (isGenerated) cpSync(generated, join(project, "generated"), { recursive: true });
  }
}

/** @param {string} folder @returns {(name: string) => Finding[]} the findings in the program of that name */
export function check(folder) {
  const args = ["check", ".", "--format", "json", "--level", "hint", "--deny", "none"];
  const { findings } = JSON.parse(headstart(folder, args));
  return (name) => findings.filter((/** @type {any} */ { file }) => file === `${name}/${name}.ts`);
}

/** @param {string} folder whose programs are rewritten, and compiled */
export function fix(folder) {
  headstart(folder, ["fix", ".", "--level", "likely"]);
}

/** Takes the types away: writes JavaScript beside each program. @param {string} folder */
export function compile(folder) {
  for (const file of sources(folder)) {
    const { outputText } = ts.transpileModule(readFileSync(file, "utf8"), {
      fileName: file,
      compilerOptions: COMPILER_OPTIONS,
    });
    writeFileSync(file.replace(/\.ts$/, ".js"), outputText);
  }
}

/** @param {string} folder @returns {string[]} */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.isFile() && entry.name.endsWith(".ts") ? [path] : [];
  });
}
