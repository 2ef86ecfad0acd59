import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { PlannedSite } from "../../src/index.js";
import { folder, site } from "../projects.js";

/** A rewrite of a small program whose tests pass before it and behind it, in the order that things usually happen in. */
export interface Program {
  readonly name: string;
  /** `program.js`, an ECMAScript module. */
  readonly source: string;
  /** What is rewritten in it, and what it becomes. */
  readonly before: string;
  readonly after: string;
  /** The body of the test, with `program` for what the module exports, `fs` for `node:fs/promises`, and `sleep`. */
  readonly test: string;
}

/** Makes a project of a program; returns its folder and its one place to rewrite. */
export function made({ name, source, before, after, test }: Program): {
  readonly project: string;
  readonly sites: PlannedSite[];
} {
  const project = join(folder(), "program");
  mkdirSync(project);
  const files = {
    "package.json": JSON.stringify({
      name: "program",
      type: "module",
      scripts: { test: "node --test" },
    }),
    "program.js": source,
    "program.test.js": `import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as program from "./program.js";
test(${JSON.stringify(name)}, async () => {
${test}
});
`,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  return { project, sites: [site(project, "program.js", before, after)] };
}
