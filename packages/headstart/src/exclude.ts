import { sep } from "node:path";

/**
 * Turns globs that are relative to a folder into globs for a folder `below` it.
 *
 * The addon reads globs as if from a .gitignore in the folder it runs in. A configuration
 * often stands above that, and `packages/a/generated` there means `/generated` in
 * `packages/a`.
 */
export function rebaseGlobs(globs: readonly string[], below: string): string[] {
  const folders = below.split(sep).filter((part) => part !== "");
  if (folders.length === 0) return [...globs];
  return globs.flatMap((glob) => {
    try {
      return rebase(glob, folders);
    } catch {
      // A glob that is none, such as `[z-a]/x`, is for the addon to complain about.
      return [glob];
    }
  });
}

/** One glob can become several, because `**` may stand for any number of folders. */
function rebase(glob: string, folders: readonly string[]): string[] {
  const negation = glob.startsWith("!") ? "!" : "";
  const body = glob.slice(negation.length);
  const slash = body.endsWith("/") ? "/" : "";
  const parts = body.replace(/^\//, "").replace(/\/$/, "").split("/");
  const anchored = parts.length > 1 || body.startsWith("/");
  let rests = [anchored ? parts : ["**", ...parts]];
  for (const folder of folders) {
    rests = rests.flatMap((rest) => enter(rest, folder));
    // A folder above or the folder itself is meant, and with it all that it holds.
    if (rests.some((rest) => rest.length === 0)) return [`${negation}*`];
  }
  if (!anchored) return [glob];
  const unique = new Set(rests.map((rest) => `${negation}/${rest.join("/")}${slash}`));
  return [...unique];
}

/** What is left to match of a glob inside of `folder`; nothing if `folder` does not match. */
function enter(rest: readonly string[], folder: string): string[][] {
  const [first, ...others] = rest;
  if (first === undefined) return [];
  if (first !== "**") return matches(first, folder) ? [others] : [];
  return others.length === 0 ? [["**"]] : [["**", ...others], ...enter(others, folder)];
}

function matches(glob: string, name: string): boolean {
  const pattern = glob.replaceAll(/\\(.)|(\[[^\]]+\])|([*?])|(.)/gs, translate);
  return new RegExp(`^${pattern}$`, "s").test(name);
}

function translate(_all: string, escaped = "", set = "", wild = "", other = ""): string {
  if (wild !== "") return wild === "*" ? "[^/]*" : "[^/]";
  if (set !== "") return set.replace(/^\[!/, "[^");
  return (escaped + other).replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
