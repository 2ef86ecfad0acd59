/** Two reads that do not depend on each other. */
export const SLOW = `import { readFile } from "node:fs/promises";

export async function load(folder: string): Promise<string[]> {
  const first = await readFile(folder + "/first.txt", "utf8");
  const second = await readFile(folder + "/second.txt", "utf8");
  return [first, second];
}
`;

/** Nothing to gain: the second needs the first. */
export const CLEAN = `import { readFile } from "node:fs/promises";

export async function load(file: string): Promise<string> {
  const name = await readFile(file, "utf8");
  return await readFile(name, "utf8");
}
`;

/** A guard stands between the two, so the second must not start earlier. */
export const GUARDED = `import { readdir, stat } from "node:fs/promises";

export async function list(path: string): Promise<string[]> {
  const stats = await stat(path);
  if (!stats.isDirectory()) return [];
  const names = await readdir(path);
  return names;
}
`;

/** A finding that takes something for granted. */
export const HELD = `import { readFile } from "node:fs/promises";

export async function load(first: { path: string }, second: { path: string }): Promise<string> {
  const a = await readFile(first.path, "utf8");
  const b = await readFile(second.path, "utf8");
  return a + b;
}
`;

/** Files that each have one finding, and enough beside it to keep a run busy for a while. */
export function many(count: number): Record<string, string> {
  const body = CLEAN.split("\n").slice(1).join("\n");
  const rest = Array.from({ length: 60 }, (_, n) => body.replace("load", `load${n}`));
  const text = SLOW + rest.join("");
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/f${n}.ts`, text]));
}

/** The last read needs nothing from the others: it can start first, and is awaited where it was. */
export const HOISTED = `import { readFile } from "node:fs/promises";

export async function report(folder: string): Promise<string> {
  const head = await readFile(folder + "/HEAD", "utf8");
  const ref = await readFile(folder + "/" + head.trim(), "utf8");
  const parts = ref.split("\\n");
  const first = parts[0];
  const more = parts.slice(1);
  const packed = await readFile(folder + "/packed-refs", "utf8");
  return first + more.join() + packed;
}
`;

/** Two reads in one expression. */
export const IN_ONE = `import { readFile } from "node:fs/promises";

export async function both(folder: string): Promise<string[]> {
  return [
    await readFile(folder + "/first.txt", "utf8"),
    await readFile(folder + "/second.txt", "utf8"),
  ];
}
`;
