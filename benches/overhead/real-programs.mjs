/**
 * Real hot paths: published packages, as npm has them, each with the package that its async functions call,
 * and a program that uses them (`real/NAME.mjs`). What is measured is the whole program, so packages stand in it as
 * folders of it, and name one another by their paths.
 */
export const PROGRAMS = {
  "music-metadata": {
    kind: "parser",
    type: "module",
    packages: { "music-metadata": "lib", strtok3: "lib" },
    imports: { strtok3: "strtok3/index.js", "strtok3/core": "strtok3/core.js" },
  },
  "memory-level": {
    kind: "driver",
    type: "commonjs",
    packages: { "memory-level": ".", "abstract-level": "." },
    imports: { "abstract-level": "abstract-level/index.js" },
  },
  strtok3: { kind: "stream library", type: "module", packages: { strtok3: "lib" } },
  "jsx-async-runtime": {
    kind: "template engine",
    type: "module",
    packages: { "jsx-async-runtime": "dist" },
  },
  valibot: { kind: "validator", type: "module", packages: { valibot: "dist" } },
};

/** Two more, measured where they are named (`--only jsonata,shacl-engine`). */
export const FURTHER = {
  jsonata: { kind: "query language", type: "commonjs", packages: { jsonata: "." } },
  "shacl-engine": { kind: "validator", type: "module", packages: { "shacl-engine": "." } },
};

/** What is installed: the packages, what they need beside one another, and what the programs read. */
export const DEPENDENCIES = {
  "@rdfjs/data-model": "2.1.2",
  "@rdfjs/dataset": "2.0.3",
  "abstract-level": "3.1.1",
  "audio-lena": "3.0.1",
  "jsx-async-runtime": "2.2.1",
  jsonata: "2.2.2",
  "memory-level": "3.1.0",
  "music-metadata": "11.16.1",
  n3: "2.13.12",
  "shacl-engine": "1.1.2",
  strtok3: "10.8.0",
  "token-types": "6.2.0",
  valibot: "1.5.0",
};
