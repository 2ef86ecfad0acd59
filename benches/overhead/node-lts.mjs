/** The newest LTS of Node, which comes from the npm registry (`node-lts/package.json`). */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** Its binary; undefined where there is none for the platform. */
export function lts() {
  const require = createRequire(new URL("node-lts/package.json", import.meta.url));
  try {
    const name = `node-${process.platform}-${process.arch}/package.json`;
    const binary = path.join(path.dirname(require.resolve(name)), "bin/node");
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}
