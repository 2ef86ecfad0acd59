import type { OptimizeInvocation } from "./args.js";
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
