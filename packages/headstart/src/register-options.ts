import { messageOf } from "@headstart/verify/errors";

import { parseArguments, UsageError } from "./args.js";
import type { OptimizeOptions } from "./optimize-types.js";
import { optionsOf } from "./optimize-values.js";

/** The variable of the environment with the options of `headstart/register`. */
const VARIABLE = "HEADSTART_OPTIMIZE";

/** Options of the command that say where things go, which loaded modules have no need of. */
const FOR_FILES = ["source-map", "report", "profile", "only-hot", "watch", "in-place"] as const;

/**
 * The options of `headstart/register`: those of `headstart optimize`, from the environment.
 *
 * @throws {@link UsageError} when they are wrong.
 */
export function registeredOptions(given = process.env[VARIABLE] ?? ""): OptimizeOptions {
  const words = given.split(/\s+/).filter((word) => word !== "");
  try {
    const { values } = invocationOf(words);
    const extra = FOR_FILES.find((name) => Object.hasOwn(values, name));
    if (extra !== undefined) throw new UsageError(`"--${extra}" is for files, not for modules`);
    return optionsOf(values);
  } catch (error) {
    throw new UsageError(`${VARIABLE}: ${messageOf(error)}`);
  }
}

function invocationOf(words: readonly string[]) {
  const invocation = parseArguments(["optimize", ...words, "--out=-", "-"]);
  if (invocation.kind !== "optimize") throw new UsageError("it takes options of optimize only");
  return invocation;
}
