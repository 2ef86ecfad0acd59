/**
 * `node --import headstart/register app.js`: optimises modules outside of packages as Node loads
 * them, ECMAScript modules, CommonJS and, where Node runs it, TypeScript. `HEADSTART_OPTIMIZE` holds
 * options as `headstart optimize` takes them.
 */
import { writeSync } from "node:fs";

import { HeadstartError } from "./errors.js";
import { optimize } from "./optimize.js";
import { rewriteModules } from "./module-hooks.js";
import { optimized } from "./register-hooks.js";
import { registeredOptions } from "./register-options.js";

checked();

/** What is wrong with the options, or with the installation, is said at once, and ends the process. */
function checked(): void {
  try {
    optimize("", registeredOptions());
  } catch (error) {
    if (!(error instanceof HeadstartError)) throw error;
    // Node would print the source of this file in front of what is thrown.
    writeSync(process.stderr.fd, `error: ${error.message}\n`);
    process.exit(error.exitCode);
  }
}

rewriteModules(optimized, new URL("./register-hooks.js", import.meta.url));
