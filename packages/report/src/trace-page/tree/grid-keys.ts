import type { Id, Tree } from "./model.js";
import { changed, type Opened, type Row } from "./rows.js";

/** Where the reader is in the table. */
export interface Spot {
  readonly tree: Tree;
  readonly rows: readonly Row[];
  readonly open: Opened;
  /** The row with the focus. */
  readonly place: number;
}

/** What a key changes. */
export interface Change {
  readonly open?: Opened;
  readonly place?: number;
  readonly zoom?: Id | "out";
}

type Key = (spot: Spot, row: Row) => Change;

const KEYS: Readonly<Record<string, Key>> = {
  ArrowDown: ({ rows, place }) => ({ place: Math.min(place + 1, rows.length - 1) }),
  ArrowUp: ({ place }) => ({ place: Math.max(place - 1, 0) }),
  Home: () => ({ place: 0 }),
  End: ({ rows }) => ({ place: rows.length - 1 }),
  ArrowRight: (spot, row) =>
    isOpen(spot, row) ? { place: spot.place + 1 } : row.kind === "node" ? toggled(spot, row) : {},
  ArrowLeft: (spot, row) =>
    isOpen(spot, row) ? toggled(spot, row) : { place: parentOf(spot, row) },
  " ": (spot, row) => toggled(spot, row),
  Enter: (spot, row) => (row.kind === "more" ? toggled(spot, row) : { zoom: row.id }),
  Escape: () => ({ zoom: "out" }),
};

/** What a key does; `undefined` if it is none of the table's. */
export function pressed(key: string, spot: Spot): Change | undefined {
  const row = spot.rows[spot.place];
  return row === undefined || !Object.hasOwn(KEYS, key) ? undefined : KEYS[key]?.(spot, row);
}

/** A row opened or closed, or more rows for one that stands for them. */
export function toggled({ tree, open }: Spot, { kind, id }: Row): Change {
  if (kind === "more") return { open: changed(open, id, "more") };
  if (tree.size(id) === 1) return {};
  return { open: changed(open, id, open.shown.has(id) ? "close" : "open") };
}

/** Whether the children of a row are shown. */
export function isOpen({ tree, open }: Spot, { kind, id }: Row): boolean {
  return kind === "node" && tree.size(id) > 1 && open.shown.has(id);
}

function parentOf({ rows, place }: Spot, { level }: Row): number {
  const found = rows.findLastIndex((row, index) => index < place && row.level < level);
  return Math.max(0, found);
}
