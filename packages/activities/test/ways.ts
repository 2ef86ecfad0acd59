import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import * as activities from "headstart-activities";
import { optimize } from "headstart";

import { withGenerators } from "./generators.js";
import { outcomeOf, type Row } from "./run-rows.js";

/** Writes a module made of one of `test/rows` in one of the ways, and gives its place. */
export function written(name: string, way: string, made: (source: string) => string): URL {
  const source = readFileSync(new URL(`rows/${name}.js`, import.meta.url), "utf8");
  return put(new URL(`.made/${way}/${name}.mjs`, import.meta.url), made(source));
}

/** Writes a file in a folder that may not be there yet. */
export function put(file: URL, text: string): URL {
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** The same, loaded. */
export async function loaded<Module>(
  name: string,
  way: string,
  made: (source: string) => string,
): Promise<Module> {
  return (await import(written(name, way, made).href)) as Module;
}

/** As `headstart optimize --atomic` and the plugin write it. */
export function compiled(source: string): string {
  return optimize(source, { atomic: true, functions: "directives", file: "rows.mjs" }).code;
}

/** As one writes it without a build. */
export function generators(source: string): string {
  return `import { act, wait } from "headstart-activities";\n${withGenerators(source)}`;
}

/** A test for each row of a file, which gives what has to be observed. */
export async function testRows(
  name: string,
  way: string,
  made: (source: string) => string,
): Promise<void> {
  const { rows } = await loaded<{ rows: Record<string, Row> }>(name, way, made);
  for (const [title, row] of Object.entries(rows)) {
    it(`${title} (${way})`, async () => {
      const { seen, wanted } = await outcomeOf(row, activities);
      const fits = wanted.some((it) => isDeepStrictEqual(it, seen));
      if (!fits) assert.deepEqual(seen, wanted[0]);
    });
  }
}
