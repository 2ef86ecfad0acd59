import { globalsOf, modulesOf } from "./modules.mjs";

/** A program that may replace globals; only those pay for names that are looked up as they run. */
const REPLACES = /\b(globalThis|window|self|global)\b|\bPromise(\.\w+ =|,)/;

const IMPORT = /^import\s+([\s\S]*?)\s+from\s+["']([^"']+)["'];?[ \t]*$/gm;

/**
 * A program as a function from a world to what it exports. It is compiled once; each call gives it
 * module state of its own.
 *
 * @param {string} text An ES module whose imports name what they take.
 */
export function compile(text) {
  const body = text
    .replace(IMPORT, (_, names, module) => {
      const taken = names.replace(/(\w+)\s+as\s+(\w+)/g, "$1: $2");
      return `const ${taken} = $import(${JSON.stringify(module)});`;
    })
    .replace(/^export (?=async |function |const |class )/gm, "");
  const exported = "{ main, other: typeof other === 'undefined' ? undefined : other }";
  const code = `"use strict";\n${body}\nreturn ${exported};`;
  const factory = REPLACES.test(text) ? withScope(code) : withNames(code);
  return (world) => {
    const modules = modulesOf(world);
    const load = (name) => {
      if (!(name in modules)) throw new Error(`no such module: ${name}`);
      return modules[name];
    };
    return factory(load, globalsOf(world));
  };
}

/** Code whose globals are fixed. */
function withNames(code) {
  const names = Object.keys(globalsOf(undefined));
  const factory = new Function("$import", ...names, code);
  return (load, globals) => factory(load, ...names.map((name) => globals[name]));
}

/** Code whose globals are the properties of an object that it may change. */
function withScope(code) {
  const factory = new Function("$import", "$scope", `with ($scope) return (() => {${code}})();`);
  return (load, globals) => {
    const scope = { ...globals, Promise: class extends Promise {} };
    for (const name of ["globalThis", "window", "self", "global"]) scope[name] = scope;
    return factory(load, scope);
  };
}
