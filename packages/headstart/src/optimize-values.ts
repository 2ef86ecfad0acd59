import type { OptimizeInvocation } from "./args.js";
import { isCommonJs } from "./module-kind.js";
import type { OptimizeOptions } from "./optimize-types.js";

/** The options of `optimize` that arguments ask for. */
export function optionsOf(values: OptimizeInvocation["values"]): OptimizeOptions {
  return {
    ticks: values.ticks,
    functions: values.functions,
    keepFrames: values["keep-frames"],
    atomic: values.atomic,
    sourceMap: values["source-map"],
    restore: values["no-restore"] !== true,
  };
}

/** The same for one file: the gate comes into it in the way that its module takes others. */
export function optionsFor(values: OptimizeInvocation["values"], file: string): OptimizeOptions {
  const options = optionsOf(values);
  return values.atomic === true ? { ...options, commonjs: isCommonJs(file) } : options;
}
