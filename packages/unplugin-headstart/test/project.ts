import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("fixtures/program", import.meta.url));
const folders: string[] = [];

/** A folder of its own with the files given, gone after the tests of the file. */
export function project(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "unplugin-headstart-")));
  folders.push(root);
  writeFiles(root, files);
  return root;
}

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** A copy of the program in test/fixtures, with its dependency where Node looks for it. */
export function program(root = project()): string {
  writeFiles(root, {
    "package.json": '{ "private": true, "type": "module" }',
    "tsconfig.json": '{ "include": ["src"] }',
  });
  cpSync(join(PROGRAM, "src"), join(root, "src"), { recursive: true });
  cpSync(join(PROGRAM, "dependency"), join(root, "node_modules/rates"), { recursive: true });
  return root;
}

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What the program prints. */
export interface Printed {
  readonly results: readonly unknown[];
  /** Which calls gave back a value at once. */
  readonly isFast: Readonly<Record<string, boolean>>;
  readonly stack: string;
}

/** Runs a built program in Node, with source maps; returns what it printed. */
export function runBuilt(file: string): Printed {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--enable-source-maps", "--no-warnings", file],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Printed;
}
