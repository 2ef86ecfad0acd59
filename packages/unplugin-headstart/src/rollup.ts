/** The plugin for Rollup. */
import { headstart } from "./index.js";

export type { Options, Patterns, Report } from "./options.js";

export default headstart.rollup;
