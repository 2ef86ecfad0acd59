import { hooksWith, type Rewrite } from "./module-hooks.js";
import type { OptimizeOptions } from "./optimize-types.js";
import { registeredOptions } from "./register-options.js";
import { optimizedSource } from "./register-source.js";

/** Read when they are needed first: what is wrong with them is said by `register`, which loads this. */
let options: OptimizeOptions | undefined;

/** Optimises a module. */
export const optimized: Rewrite = (text, file, commonjs) => {
  options ??= registeredOptions();
  return optimizedSource(text, file, { ...options, commonjs });
};

/** Optimises modules as Node loads them, for versions that load them on another thread. */
export const { load } = hooksWith(optimized);
