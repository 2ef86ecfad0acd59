import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { it } from "node:test";
import * as activities from "headstart-activities";
import { optimize } from "headstart";

import { withGenerators } from "./generators.js";

/** What a row gets: the package, and what it needs to observe. */
interface Means {
  log(what: unknown): void;
  sleep(ms: number): Promise<void>;
  /** One of several outcomes, where the order of two things is not defined. */
  anyOf(list: unknown[][]): { list: unknown[][] };
}

type Row = (means: typeof activities & Means) => Promise<unknown[] | { list: unknown[][] }>;

/** Makes a module out of `test/rows` in one of the ways, and loads it. */
async function rowsOf(name: string, way: string, made: (source: string) => string) {
  const source = readFileSync(new URL(`rows/${name}.js`, import.meta.url), "utf8");
  const folder = new URL(`.made/${way}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${name}.mjs`, folder);
  writeFileSync(file, made(source));
  const { rows } = (await import(pathToFileURL(fileURLToPath(file)).href)) as {
    rows: Record<string, Row>;
  };
  return rows;
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
  for (const [title, row] of Object.entries(await rowsOf(name, way, made))) {
    it(`${title} (${way})`, async () => {
      const seen: unknown[] = [];
      const wanted = await row({
        ...activities,
        log: (what) => void seen.push(what),
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        anyOf: (list) => ({ list }),
      });
      const list = Array.isArray(wanted) ? [wanted] : wanted.list;
      if (list.length === 1) assert.deepEqual(seen, list[0]);
      else
        assert.ok(
          list.some((it) => JSON.stringify(it) === JSON.stringify(seen)),
          JSON.stringify(seen),
        );
    });
  }
}
