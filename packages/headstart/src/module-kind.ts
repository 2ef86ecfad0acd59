import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Whether Node takes a file for CommonJS that is no ECMAScript module by its syntax and whose name does not say: it is
 * none where the nearest package.json has `"type": "module"` (Node.js, "Determining module system").
 */
export function isCommonJs(file: string): boolean {
  let folder = dirname(file);
  for (;;) {
    const manifest = manifestIn(folder);
    const above = dirname(folder);
    if (manifest !== undefined || above === folder) return manifest?.type !== "module";
    folder = above;
  }
}

/** What a folder's package.json has; as if it had nothing where it cannot be read as one, nothing where there is none. */
function manifestIn(folder: string): { readonly type?: unknown } | undefined {
  let text;
  try {
    text = readFileSync(join(folder, "package.json"), "utf8");
  } catch {
    return undefined;
  }
  try {
    return Object(JSON.parse(text)) as { type?: unknown };
  } catch {
    return {};
  }
}
