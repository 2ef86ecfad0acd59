import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Observation, observe } from "../src/index.js";
import { buildObserver } from "../scripts/build.mjs";

const built = mkdtempSync(join(tmpdir(), "headstart-observe-test-"));
process.on("exit", () => {
  rmSync(built, { recursive: true, force: true });
});
await buildObserver(built);

let last = 0;

/** Runs a program of these files, and says what was seen. */
export async function observed(
  files: Readonly<Record<string, string>>,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{
  readonly awaits: readonly Observation[];
  readonly exitCode: number;
  readonly damaged: number;
  /** The folder of the program, not of its copy. */
  readonly project: string;
  /** All that was written. */
  readonly text: string;
  /** What the await in a line touched. */
  readonly at: (line: number, file?: string) => string[];
}> {
  const project = join(built, `project${++last}`);
  mkdirSync(project);
  for (const [name, text] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  symlinkSync(
    fileURLToPath(new URL("../../../node_modules", import.meta.url)),
    join(project, "node_modules"),
  );
  Object.assign(process.env, env);
  const out = join(project, ".headstart/evidence.json");
  const { evidence, exitCode, damaged } = await observe({
    ...{ tool: "test", project, command, out },
    setup: join(built, "observe-setup.cjs"),
  });
  const at = (line: number, file = "main.js"): string[] =>
    evidence.awaits
      .filter((it) => it.line === line && it.file === file)
      .flatMap(({ operations }) => operations.map(({ what, times }) => `${times} ${what}`));
  return {
    ...{ awaits: evidence.awaits, exitCode, damaged, project },
    ...{ text: readFileSync(out, "utf8"), at },
  };
}

export const NODE = [process.execPath, "main.js"];
/** Requests that are under way at once, over fewer connections. */
export const COUNT = 24;

/** A program in which many calls of two functions are under way at once; their awaits stand in lines 4 and 7. */
export function program(
  setup: string,
  one: string,
  two: string,
  close: string,
): Record<string, string> {
  const source = `${setup}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const one = async (n) => { await sleep(n % 5);
  return await ${one}; };

const two = async (n) => { await sleep(n % 3);
  return await ${two}; };
await Promise.all(Array.from({ length: ${COUNT} }, (_, n) => (n % 2 ? one(n) : two(n))));
${close}
`;
  assert.equal(setup.split("\n").length, 1);
  return { "main.js": source };
}

/** What was touched of a kind; knex asks each new connection by itself what it is connected to. */
export const of = (found: readonly string[], kind: RegExp): string[] =>
  found.filter((it) => kind.test(it) && !it.endsWith("select version();"));
