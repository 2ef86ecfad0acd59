import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { it } from "node:test";
import * as activities from "headstart-activities";
import { optimize } from "headstart";

import { isDeepStrictEqual } from "node:util";

import { withGenerators } from "./generators.js";
import { outcomeOf, type Row } from "./run-rows.js";

/** A module made of one of `test/rows` in one of the ways. */
export async function loaded<Module>(
  name: string,
  way: string,
  made: (source: string) => string,
): Promise<Module> {
  const source = readFileSync(new URL(`rows/${name}.js`, import.meta.url), "utf8");
  const folder = new URL(`.made/${way}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.mjs`, folder);
  writeFileSync(file, made(source));
  return (await import(file.href)) as Module;
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
