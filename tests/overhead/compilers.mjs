// Compilers that write async functions as generators, as they are pinned for the benchmarks.
import { createRequire } from "node:module";

export const require = createRequire(
  new URL("../../benches/overhead/package.json", import.meta.url),
);

const ts = require("typescript");
const babelCore = require("@babel/core");
const esbuild = require("esbuild");

function typescript(target, importHelpers) {
  const compilerOptions = {
    target: ts.ScriptTarget[target],
    module: ts.ModuleKind.CommonJS,
    importHelpers,
    downlevelIteration: true,
    ignoreDeprecations: "6.0",
  };
  // Helpers are only imported by modules.
  const mark = importHelpers ? "export {};\n" : "";
  return (code) => ts.transpileModule(mark + code, { compilerOptions }).outputText;
}

function babel(targets) {
  const presets = [[require("@babel/preset-env"), { targets, modules: false }]];
  const options = { configFile: false, babelrc: false, sourceType: "script", presets };
  return (code) => babelCore.transformSync(code, options).code;
}

const toEs2016 = (code) => esbuild.transformSync(code, { target: "es2016" }).code;

/** `generators`: async functions become generators; else they become state machines. */
export const COMPILERS = [
  { name: "TypeScript, ES2015", compile: typescript("ES2015", false), generators: true },
  { name: "TypeScript, ES2015, tslib", compile: typescript("ES2015", true), generators: true },
  { name: "TypeScript, ES5", compile: typescript("ES5", false), generators: false },
  { name: "Babel, ES2016", compile: babel({ node: "6" }), generators: true },
  { name: "Babel, ES5", compile: babel({ ie: "11" }), generators: false },
  { name: "esbuild, ES2016", compile: toEs2016, generators: true },
];

/** Makes the function that a program's text is, with `require` and `exports` as modules have. */
export function load(code) {
  const make = new Function("$", "require", "exports", code);
  return ($) => make($, require, {});
}
