import { existsSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";

import { maskPath } from "./recorder/mask.js";

/** Programs whose first word says what they do, and what makes that the second, too: `npm run build`. */
const WITH_WORDS =
  /^(?:npm|pnpm|yarn|bun|npx|bunx|deno|make|turbo|nx|vitest|jest|mocha|ava|tap|playwright|tsx)(?:\.cmd|\.exe)?$/;
const RUN = new Set(["exec", "run", "run-script", "task"]);
const WORD = /^[a-z]{1,12}(?:[-:][a-z]{1,12}){0,3}$/;
const OPTION = /^-[a-zA-Z]$|^--[a-z]{1,12}(?:-[a-z]{1,12}){0,3}$/;

/**
 * A command as it is written down: its options by their names, the words that say what it does, and what names a file of the project.
 * Other arguments may be anything: `:value`.
 */
export function withoutValues(command: readonly string[], project: string): string[] {
  const [program = "", ...rest] = command;
  const name = basename(program);
  const most = !WITH_WORDS.test(name) ? 0 : RUN.has(rest[0] ?? "") ? 2 : 1;
  const isWord = rest.map((it) => WORD.test(it));
  const words = Math.min(most, isWord.includes(false) ? isWord.indexOf(false) : most);
  return [
    name,
    ...rest.map((it, index) => {
      if (index < words || OPTION.test(it)) return it;
      return isFileOf(project, it) ? maskPath(it) : ":value";
    }),
  ];
}

function isFileOf(project: string, path: string): boolean {
  const isWithin = path !== "" && !isAbsolute(path) && !path.split(/[\\/]/).includes("..");
  return isWithin && existsSync(join(project, path));
}
