import { many, share, shortened, time } from "../../trace/format.js";
import { meaning } from "../../trace/kinds.js";
import { ROOT, type Id, type Measure, type Tree } from "./model.js";

/** How often what a node stands for is interrupted. */
export type Interrupted = "none" | "rarely" | "often" | "mostly" | "untold";

/** What each is, for the reader. */
export const INTERRUPTED: readonly (readonly [Interrupted, string])[] = [
  ["none", "never interrupted"],
  ["rarely", "in less than 10% of its runs"],
  ["often", "in 10 to 90%"],
  ["mostly", "in 90% or more"],
];

export function interrupted(tree: Tree, id: Id): Interrupted {
  if (!tree.timed) return "untold";
  const { interrupted: found, runs } = tree.node(id);
  if (found === 0) return "none";
  if (found < 0.1 * runs) return "rarely";
  return found < 0.9 * runs ? "often" : "mostly";
}

/** What a node is, and where: `reaction`, `load src/a.js:1:2`. */
export interface Name {
  readonly kind: string;
  readonly site: string;
}

/** What a node is called; the folder of the program is left out. */
export function nameOf(tree: Tree, id: Id, folder: string | undefined): Name {
  const { kind, site = "" } = tree.node(id);
  if (id === ROOT) return { kind: "everything", site: "" };
  return { kind: shortened(kind, 60), site: shortened(without(site, folder), 200) };
}

/** A site is `function file:line:column`, or `file:line:column`. */
function without(site: string, folder: string | undefined): string {
  if (folder === undefined || folder === "") return site;
  const start = site.startsWith(`${folder}/`) ? 0 : site.indexOf(` ${folder}/`) + 1;
  const isThere = site.startsWith(`${folder}/`, start);
  return isThere ? site.slice(0, start) + site.slice(start + folder.length + 1) : site;
}

/** A value of a measure in words. */
export function amount(value: number, measure: Measure): string {
  return measure === "runs" ? many(value, "run") : time(value);
}

/** All that is known of a node, in two sentences. */
export function described(tree: Tree, id: Id, folder: string | undefined): string {
  const times = (ran: number, waited: number): string =>
    tree.timed ? `, ran ${time(ran)}, waited ${time(waited)}` : "";
  const all = times(tree.total(id, "ran"), tree.total(id, "waited"));
  const below = `all below it included: ${many(tree.total(id, "runs"), "run")}${all}.`;
  if (id === ROOT) return `Everything, ${below}`;
  const { kind, site } = nameOf(tree, id, folder);
  const { runs, ran, waited, interrupted: found } = tree.node(id);
  const what = meaning(kind);
  return (
    `${kind}${what === "" ? "" : ` (${what})`}${site === "" ? "" : `, registered at ${site}`}: ` +
    `${many(runs, "run")}${times(ran, waited)}` +
    `${tree.timed ? `, ${share(found, runs)} interrupted` : ""}. With ${below}`
  );
}
