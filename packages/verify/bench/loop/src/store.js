import { readFile, stat } from "node:fs/promises";
import path from "node:path";

/** Two small files. */
export async function readState(dir) {
  const head = await readFile(path.join(dir, "HEAD"), "utf8");
  const config = await readFile(path.join(dir, "config.json"), "utf8");
  return { head, config };
}

/** About the cheapest operations that are ever rewritten. */
export async function sizes(dir) {
  const head = await stat(path.join(dir, "HEAD"));
  const config = await stat(path.join(dir, "config.json"));
  return head.size + config.size;
}
