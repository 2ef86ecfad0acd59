/**
 * The variants of a program that are measured side by side: each makes a module out of the program's
 * synchronous source. A tool that refuses a program throws, and the tables say so.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { transformSync } from "@babel/core";
import { generate } from "./generate.mjs";
import { perhapsAsync } from "./paper-scheme.mjs";

export const require = createRequire(import.meta.url);
const moduleUrl = (name) => JSON.stringify(pathToFileURL(require.resolve(name)).href);

export function babel(code, ...plugin) {
  const options = { configFile: false, babelrc: false, compact: false, plugins: [plugin] };
  return transformSync(code, { ...options, sourceType: "module" }).code;
}

/** The libraries on generators: how they are imported, and how they wait for a promise of a value. */
const LIBRARIES = {
  gensync: {
    imports: `import library from ${moduleUrl("gensync")};`,
    deferred:
      "const deferred = library({ sync: (value) => value, async: (value) => Promise.resolve(value) });",
  },
  quansync: {
    imports: `import { quansync as library } from ${JSON.stringify(import.meta.resolve("quansync"))};`,
    deferred: "function* deferred(value) {\n  return yield Promise.resolve(value);\n}",
  },
};

/** A module of generators, with its entry `program`, under a library. */
export function withLibrary(name, code, needed) {
  const { imports, deferred } = LIBRARIES[name];
  const entry = `export const run = (input) => entry.${needed ? "async" : "sync"}(input);`;
  return `${imports}\n${code}\n${needed ? deferred : ""}\nconst entry = library(program);\n${entry}\n`;
}

function withGenerators(name, source, needed) {
  return withLibrary(name, generate(source, { shape: "generator", needed }), needed);
}

/**
 * @typedef {object} Variant
 * @property {string} id
 * @property {string} title as the tables and charts print it
 * @property {(source: string, options: {needed: boolean}) => string | Promise<string>} build
 * @property {boolean} [onlyNotNeeded] there is no such variant where awaits are needed
 */

/** @type {Variant[]} */
const variants = [
  {
    id: "sync",
    title: "sync",
    onlyNotNeeded: true,
    build: (source) => generate(source, { shape: "sync" }),
  },
  {
    id: "async",
    title: "async",
    build: (source, { needed }) => generate(source, { shape: "async", needed }),
  },
  {
    id: "paper",
    title: "paper's scheme",
    build: (source, { needed }) =>
      perhapsAsync(generate(source, { shape: "directive", needed })).code,
  },
  {
    id: "async-to-promises",
    title: "async-to-promises",
    build: (source, { needed }) =>
      babel(
        generate(source, { shape: "async", needed }),
        require.resolve("babel-plugin-transform-async-to-promises"),
      ),
  },
  {
    id: "fast-async",
    title: "fast-async",
    build: (source, { needed }) =>
      babel(generate(source, { shape: "async", needed }), require.resolve("fast-async")),
  },
  ...Object.keys(LIBRARIES).map((name) => ({
    id: name,
    title: name,
    build: (source, { needed }) => withGenerators(name, source, needed),
  })),
];

/**
 * What `optimize` of the product makes of a module's text; undefined while the package has none.
 *
 * @returns {Promise<((code: string) => Promise<string>) | undefined>}
 */
export async function findOptimizer() {
  const { optimize } = await import("headstart").catch((error) => {
    // Not built yet. Any other failure is one of the product, which nobody would notice here.
    if (error.code === "ERR_MODULE_NOT_FOUND") return {};
    throw error;
  });
  return optimize && (async (code) => (await optimize(code, {})).code);
}

/** All variants; those of the product only where it has an optimiser. */
export async function allVariants() {
  const optimize = await findOptimizer();
  if (!optimize) return variants;
  return [
    ...variants,
    {
      id: "headstart",
      title: "headstart",
      build: (source, { needed }) => optimize(generate(source, { shape: "directive", needed })),
    },
    {
      id: "headstart-automatic",
      title: "headstart, no directives",
      onlyNotNeeded: true,
      build: (source) => optimize(generate(source, { shape: "async", wrap: false })),
    },
  ];
}
