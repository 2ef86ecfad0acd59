import { relative } from "node:path";

/** Ids of modules that are scripts when the bundler gets them, those in components included. */
export const SCRIPT = /\.[cm]?[jt]sx?(?:\?|$)|[?&]lang[.=][jt]sx?(?:&|$)/;

/** Ids of modules that are scripts when their own plugins are done with them. */
export const COMPONENT = /\.(?:vue|svelte|astro)$/;

/** Modules that plugins make up, by the convention of Rollup. */
export const MADE_UP = /^\0/;

/** A module as it is named to `optimize`, in messages and in source maps. */
export interface ModuleName {
  /** The file that it comes from. */
  readonly path: string;
  /** Relative to the current folder, with an extension that says its language. */
  readonly shown: string;
}

/** The name of a module, from its id: a path and perhaps a query. */
export function nameOf(id: string): ModuleName {
  const [path = id, query = ""] = id.split("?", 2);
  const shown = relative(process.cwd(), path);
  if (SCRIPT.test(path)) return { path, shown };
  const language = /(?:^|&)lang[.=]([jt]sx?)(?:&|$)/.exec(query)?.[1] ?? "js";
  return { path, shown: `${shown}.${language}` };
}
