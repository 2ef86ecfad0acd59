import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

import type { Run, Site, Thread } from "./read-trace.js";

const PAGES = fileURLToPath(new URL("pages/", import.meta.url));

/** Parents by children, as labels; `-` is nothing, and `any` stands for all. */
export type Table = ReadonlyMap<string, readonly string[]>;

/** What the comments of the pages say. */
export interface Expected {
  readonly parents: Table;
  /** Labels by file and line. */
  readonly places: ReadonlyMap<string, string>;
}

/** An edge of a recording, as labels; what has none goes by its type and place. */
export interface Edge {
  readonly label: string;
  readonly parent: string;
}

/** Reads the table of parents, written by hand as comments such as `//= child < parent | other`. */
export function expectedEdges(): Expected {
  const parents = new Map<string, string[]>();
  const places = new Map<string, string>();
  for (const file of readdirSync(PAGES).filter((name) => /^edges.*js$/.test(name))) {
    const lines = readFileSync(PAGES + file, "utf8").split("\n");
    lines.forEach((line, at) => {
      const match = /^\s*\/\/= (\S+) < (.*)$/.exec(line);
      if (match === null) return;
      const [, label = "", rest = ""] = match;
      // It says this of the next line; scripts begin at the first.
      places.set(`${file}:${at === 0 ? 1 : at + 2}`, label);
      parents.set(label, rest.split(" | "));
    });
  }
  return { parents, places };
}

/** The label of a run, if it has one. */
export type Labels = (run: Run) => string | undefined;

/** Labels by the places of registrations. */
export function labelsBy(places: ReadonlyMap<string, string>): Labels {
  return ({ registration }) => places.get(placeOf(registration?.site));
}

/** The edges of some threads whose children have a label; `entryOf` says what runs count as, as parents. */
export function foundEdges(
  threads: readonly Thread[],
  labelOf: Labels,
  entryOf: (run: Run) => Run = (run) => run,
): Edge[] {
  const senders = new Map(
    threads.flatMap(({ runs }) => runs.flatMap((run) => run.sends.map((it) => [it, run] as const))),
  );
  const nameOf = (run: Run | undefined): string => {
    if (run === undefined) return "-";
    const { type = "unknown", site } = run.registration ?? {};
    return labelOf(run) ?? `${type} at ${placeOf(site)}`;
  };
  return threads.flatMap(({ runs }) =>
    runs.flatMap((run) => {
      const label = labelOf(run);
      if (label === undefined) return [];
      const message = run.registration?.receives;
      const parent = message === undefined ? run.registration?.parent : senders.get(message);
      return [{ label, parent: nameOf(parent && entryOf(parent)) }];
    }),
  );
}

/**
 * What the host has entered JavaScript with when something runs: for microtasks, the entry before them, or the first
 * microtask where there is none.
 */
export function entriesOf(threads: readonly Thread[]): (run: Run) => Run {
  const entries = new Map<Run, Run>();
  for (const { runs, drains } of threads) {
    let entry: Run | undefined;
    let drain = 0;
    runs.forEach((run, at) => {
      for (; (drains[drain]?.before ?? Infinity) <= at; drain++) {
        if (drains[drain]?.ofLast === false) entry = undefined;
      }
      if (run.registration?.microtask !== true || entry === undefined) entry = run;
      entries.set(run, entry);
    });
  }
  return (run) => entries.get(run) ?? run;
}

function placeOf(site: Site | undefined): string {
  const [, file = "?", line = "?"] = site?.text ?? [];
  return `${basename(file)}:${line}`;
}

/** Edges that the table does not have, nor where it has `any`, as often, those that the page has `said`. */
export function wrongEdges(
  edges: readonly Edge[],
  parents: Table,
  said: readonly Edge[] = [],
): string[] {
  const rest = said.map(({ label, parent }) => `${label} < ${parent}`);
  return edges
    .map(({ label, parent }) => ({ label, parent, text: `${label} < ${parent}` }))
    .filter(({ label, parent, text }) => {
      const expected = parents.get(label) ?? [];
      if (!expected.includes("any")) return !expected.includes(parent);
      const at = rest.indexOf(text);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    })
    .map(({ text }) => text);
}

/** The table that edges make in which labels that are not `known` are replaced by their parents. */
export function tableOf(edges: readonly Edge[], known: ReadonlySet<string>): Table {
  const parents = new Map<string, Set<string>>();
  for (const { label, parent } of edges) {
    parents.set(label, (parents.get(label) ?? new Set()).add(parent));
  }
  const expand = (label: string, seen: readonly string[]): string[] => {
    const own = [...(parents.get(label) ?? [])];
    if (known.has(label) || seen.includes(label) || own.length === 0) return [label];
    return own.flatMap((parent) => expand(parent, [...seen, label]));
  };
  return new Map(
    [...parents].map(([label, all]) => [label, [...all].flatMap((parent) => expand(parent, []))]),
  );
}
