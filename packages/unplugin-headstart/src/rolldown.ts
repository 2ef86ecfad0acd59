/** The plugin for Rolldown. */
import { headstart } from "./index.js";

export type { Options, Patterns, Report } from "./options.js";

export default headstart.rolldown;
