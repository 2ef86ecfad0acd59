import type { Program } from "./programs.js";
import { WRONG_IN_MEMORY } from "./wrong-memory.js";
import { WRONG_OUTSIDE } from "./wrong-outside.js";

/** Rewrites that are wrong, and that no test notices as things usually go. */
export const WRONG: readonly Program[] = [...WRONG_IN_MEMORY, ...WRONG_OUTSIDE];
