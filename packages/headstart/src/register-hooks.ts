import type { LoadHook } from "node:module";
import { fileURLToPath } from "node:url";

import { optimize } from "./optimize.js";

/**
 * Optimises modules as Node loads them: `node --import headstart/register app.mjs`. Only ECMAScript
 * modules outside of packages pass through here, and only those with async functions are touched.
 */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const { source } = loaded;
  const isOurs = url.startsWith("file:") && !url.includes("/node_modules/");
  if (loaded.format !== "module" || !isOurs || source === undefined) return loaded;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  if (!text.includes("async")) return loaded;
  const { code, map } = optimize(text, { file: fileURLToPath(url), sourceMap: true });
  const inline = Buffer.from(JSON.stringify(map)).toString("base64");
  const comment = `//# sourceMappingURL=data:application/json;base64,${inline}`;
  return { ...loaded, source: `${code}\n${comment}\n` };
};
