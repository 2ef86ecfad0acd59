import { relative, sep } from "node:path";

import { withObservation } from "@headstart/observe/instrument";

import { hooksWith, type Rewrite } from "./module-hooks.js";
import { projectAbove } from "./project-files.js";

/** The longest module in which awaits are observed, in characters: longer ones are made by programs. */
const LONGEST = 500_000;

const project = projectAbove(process.cwd());

/** Puts calls around the awaits of the project's own modules, which tell the recorder what they touch. */
export const observed: Rewrite = (text, file) => {
  const path = relative(project, file).split(sep).join("/");
  const isOwn = !path.startsWith("..") && !path.split("/").includes("node_modules");
  if (!isOwn || text.length > LONGEST || !/\bawait\b/.test(text)) return text;
  try {
    return withObservation(path, text).text;
  } catch {
    // Node says better what is wrong with it.
    return text;
  }
};

/** As Node loads them, for versions that load modules on another thread. */
export const { load } = hooksWith(observed);
