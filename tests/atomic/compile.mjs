// What the tests of this folder compile with, and how they load what comes of it.
import { createRequire } from "node:module";

import { optimize } from "headstart";

const require = createRequire(import.meta.url);

/** What the compiler makes of a text for the gate; `functions: "directives"` fuses nothing, and so leaves all else alone. */
export const compiled = (text, functions) =>
  optimize(text, {
    atomic: true,
    commonjs: true,
    functions,
    restore: false,
    ticks: "exact",
    file: "program.js",
  });

/** The program of a text, which talks to the world through `$`. */
export const loaded = (text) => {
  const make = new Function("require", "$", text);
  return ($) => make(require, $);
};
