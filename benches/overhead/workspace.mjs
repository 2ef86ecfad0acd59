/** The folder that programs are written to: in the repository's target folder, which git ignores. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));

/** Where everything that is generated goes. */
export const OUTPUT = path.join(here, "../../target/overhead");

/** The synchronous source of a program. */
export function readProgram(name) {
  return readFileSync(path.join(here, "programs", `${name}.js`), "utf8");
}

/** A module of one of the streams' variants: what they share, then the variant. */
export function readStream(name) {
  const texts = ["core", name].map((it) => readFileSync(path.join(here, "streams", `${it}.js`)));
  return texts.join("\n");
}

/** Writes a file below the output folder; its path. */
export function write(folder, name, text) {
  const target = path.join(OUTPUT, folder);
  mkdirSync(target, { recursive: true });
  writeFileSync(path.join(target, name), text);
  return path.join(target, name);
}
