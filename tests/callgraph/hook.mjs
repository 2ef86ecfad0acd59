// Given to `node --import`: instruments the files of a program as they are loaded.
import Module, { register } from "node:module";
import { instrumentLoaded } from "./loader.mjs";
import { install } from "./runtime.mjs";
import { programFile, ROOT } from "./sources.mjs";
import { instrument } from "./transform.mjs";

const out = process.env.HEADSTART_CALLGRAPH_OUT;
if (out) {
  install(ROOT, out, import.meta.filename);
  const { prototype, registerHooks } = /** @type {any} */ (Module);
  if (registerHooks) {
    registerHooks({
      /** @param {string} url @param {any} context @param {Function} nextLoad */
      load: (url, context, nextLoad) => instrumentLoaded(url, nextLoad(url, context)),
    });
  } else {
    register("./loader.mjs", import.meta.url);
  }
  const compile = prototype._compile;
  /** @param {string} content @param {string} filename @param {string} [format] */
  prototype._compile = function (content, filename, format) {
    const rel = format === "module" ? undefined : programFile(filename);
    const text = rel === undefined ? content : instrument(content, rel, "script");
    return compile.call(this, text, filename, format);
  };
}
