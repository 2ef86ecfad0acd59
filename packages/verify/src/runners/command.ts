import type { Runner } from "./runner.js";

/** A command line that is timed as a whole. */
export function makeCommand(words: readonly string[]): Runner {
  const [program = "", ...args] = words;
  return { name: "command", label: words.join(" "), command: () => ({ program, args, env: {} }) };
}
