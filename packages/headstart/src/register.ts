/**
 * `node --import headstart/register app.js`: optimises modules outside of packages as Node loads
 * them, ECMAScript modules, CommonJS and, where Node runs it, TypeScript. `HEADSTART_OPTIMIZE` holds
 * options as `headstart optimize` takes them.
 */
import { writeSync } from "node:fs";
import * as nodeModule from "node:module";

import { HeadstartError } from "./errors.js";
import { optimize } from "./optimize.js";
import type { OptimizeOptions } from "./optimize-types.js";
import { loadSync } from "./register-hooks.js";
import { optimizedSource } from "./register-source.js";
import { registeredOptions } from "./register-options.js";

const options = checked();

/** The options. What is wrong with them, or with the installation, is said at once, and ends the process. */
function checked(): OptimizeOptions {
  try {
    const given = registeredOptions();
    optimize("", given);
    return given;
  } catch (error) {
    if (!(error instanceof HeadstartError)) throw error;
    // Node would print the source of this file in front of what is thrown.
    writeSync(process.stderr.fd, `error: ${error.message}\n`);
    process.exit(error.exitCode);
  }
}

/** What Node 22.15 and later have: hooks on the thread of the program, for `require` too. */
type RegisterHooks = (hooks: { load: typeof loadSync }) => void;
const { registerHooks } = nodeModule as { registerHooks?: RegisterHooks };
if (registerHooks === undefined) {
  nodeModule.register(new URL("./register-hooks.js", import.meta.url));
  hookCommonJs();
} else {
  registerHooks({ load: loadSync });
}

/** The method of Node through which the text of every CommonJS module goes. */
type Compile = (this: unknown, code: string, filename: string, ...rest: unknown[]) => unknown;

/**
 * Optimises CommonJS in older versions of Node. The packages for that (`pirates`) drop what Node
 * hands on beside the text, and with it `require` of ECMAScript modules.
 */
function hookCommonJs(): void {
  const { prototype } = nodeModule.default as unknown as { prototype: { _compile: Compile } };
  const compile = prototype._compile;
  prototype._compile = function (code, filename, ...rest) {
    const after = optimizedSource(code, filename, { ...options, commonjs: true });
    return compile.call(this, after, filename, ...rest);
  };
}
