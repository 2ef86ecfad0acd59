// The entries of the corpus, by their names.
import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const KINDS = ["pages", "servers"];

/** The names of the entries of one kind. @param {string} kind */
const namesOf = (kind) =>
  readdirSync(join(ROOT, kind))
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => basename(file, ".mjs"));

/**
 * The entries of these names; `pages` and `servers` stand for all of a kind.
 * @param {string[]} names @returns {{ kind: string, name: string, module: string }[]}
 */
export function findEntries(names) {
  const all = names.flatMap((name) => (KINDS.includes(name) ? namesOf(name) : name));
  return all.map((name) => {
    const kind = KINDS.find((each) => existsSync(join(ROOT, each, `${name}.mjs`)));
    if (kind === undefined) throw new Error(`${name}: no such entry`);
    return { kind, name, module: join(ROOT, kind, `${name}.mjs`) };
  });
}
