import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";

const folders: string[] = [];

/** A folder of its own with the files given, gone after the tests of the file. */
export function project(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "headstart-test-")));
  folders.push(root);
  // Without it, a search for a configuration would go on in the folders above.
  mkdirSync(join(root, ".git"));
  writeFiles(root, files);
  return root;
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
