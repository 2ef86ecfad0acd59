import { globalsOf, modulesOf } from "./modules.mjs";

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
  const names = Object.keys(globalsOf(undefined));
  const exported = "{ main, other: typeof other === 'undefined' ? undefined : other }";
  const factory = new Function("$import", ...names, `"use strict";\n${body}\nreturn ${exported};`);
  return (world) => {
    const modules = modulesOf(world);
    const globals = globalsOf(world);
    const load = (name) => {
      if (!(name in modules)) throw new Error(`no such module: ${name}`);
      return modules[name];
    };
    return factory(load, ...names.map((name) => globals[name]));
  };
}
