/** The plugin for esbuild, without what the other bundlers need. */
export { esbuildPlugin as default } from "./esbuild-setup.js";
export type { Options, Patterns, Report } from "./options.js";
