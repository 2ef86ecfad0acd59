import { relative } from "node:path";

/** Ids of modules that are scripts when the bundler gets them, those in components included. */
export const SCRIPT = /\.[cm]?[jt]sx?(?:\?|$)|[?&]lang[.=][jt]sx?(?:&|$)/;

/** Ids of modules that are scripts when their own plugins are done with them. */
export const COMPONENT = /\.(?:vue|svelte|astro)$/;

/** Modules that plugins make up, by the convention of Rollup. */
export const MADE_UP = /^\0/;

/** The path of the file that a module comes from, from its id. */
export function pathOf(id: string): string {
  return id.split("?", 1)[0] ?? id;
}

/** The path of a module, from its id, with an extension that says its language. */
export function fileOf(id: string): string {
  const path = pathOf(id);
  const query = id.slice(path.length + 1);
  if (SCRIPT.test(path)) return path;
  const language = /(?:^|&)lang[.=]([jt]sx?)(?:&|$)/.exec(query)?.[1] ?? "js";
  return `${path}.${language}`;
}

/** A path as messages show it. */
export function shown(file: string): string {
  return relative(process.cwd(), file);
}
