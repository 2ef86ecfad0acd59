import type { Id, Measure, Tree } from "./model.js";

/** Children that are there when a node is opened, and how many more each time. */
export const FIRST = 20;
/** Nodes that are open at first, from the uppermost down. */
const OPENED = 6;

/** What the reader has opened. */
export interface Opened {
  /** Nodes whose children are shown, and how many of them. */
  readonly shown: ReadonlyMap<Id, number>;
}

/** A row of the table: a node, or what stands for children that are not shown yet. */
export interface Row {
  readonly kind: "node" | "more";
  /** The node, or the parent of those that are missing. */
  readonly id: Id;
  readonly level: number;
  /** Its place among the children of its parent, from 1, and how many these are. */
  readonly place: number;
  readonly among: number;
}

/** What is open at first: the way down where most is, as long as it is clear which that is. */
export function opened(tree: Tree, top: Id, measure: Measure): Opened {
  const shown = new Map([[top, FIRST]]);
  for (let id: Id | undefined = top; shown.size < OPENED;) {
    const [largest] = tree.children(id, measure);
    if (largest === undefined) break;
    if (tree.total(largest, measure) < tree.total(id, measure) / 2) break;
    shown.set(largest, FIRST);
    id = largest;
  }
  return { shown };
}

/** The rows that are to be seen, from a node downwards. */
export function rows(tree: Tree, top: Id, measure: Measure, { shown }: Opened): Row[] {
  const found: Row[] = [];
  const left: Row[] = [{ kind: "node", id: top, level: 1, place: 1, among: 1 }];
  for (let row = left.pop(); row !== undefined; row = left.pop()) {
    found.push(row);
    const most = row.kind === "node" ? (shown.get(row.id) ?? 0) : 0;
    const children = tree.children(row.id, measure);
    const below = { level: row.level + 1, among: children.length };
    const parts: Row[] = children
      .slice(0, most)
      .map((id, index) => ({ kind: "node", id, place: index + 1, ...below }));
    if (most > 0 && children.length > most) {
      parts.push({ kind: "more", id: row.id, place: most + 1, ...below });
    }
    left.push(...parts.reverse());
  }
  return found;
}

/** The same with a node opened, closed, or with more of its children. */
export function changed({ shown }: Opened, id: Id, what: "open" | "close" | "more"): Opened {
  const now = new Map(shown);
  if (what === "close") now.delete(id);
  else now.set(id, what === "more" ? (shown.get(id) ?? 0) + 5 * FIRST : FIRST);
  return { shown: now };
}
