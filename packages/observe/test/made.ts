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
  const { evidence, exitCode } = await observe({
    ...{ tool: "test", project, command, out },
    setup: join(built, "observe-setup.cjs"),
    signal: new AbortController().signal,
  });
  const at = (line: number, file = "main.js"): string[] =>
    evidence.awaits
      .filter((it) => it.line === line && it.file === file)
      .flatMap(({ operations }) => operations.map(({ what, times }) => `${times} ${what}`));
  return { awaits: evidence.awaits, exitCode, text: readFileSync(out, "utf8"), at };
}
