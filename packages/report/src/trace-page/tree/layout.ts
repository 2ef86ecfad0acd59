import type { Id, Measure, Tree } from "./model.js";

/** Narrower ones are not drawn (CSS pixels). */
const LEAST_WIDTH = 2;
/** More rectangles are not drawn. */
export const MOST_RECTANGLES = 2000;
/** Further down nothing is drawn. */
export const MOST_LEVELS = 24;

/** A node as a rectangle, as wide as it is with all that is below it. */
export interface Rectangle {
  readonly id: Id;
  readonly x: number;
  readonly width: number;
  /** How far below the uppermost it is. */
  readonly level: number;
  /** How many children of the node it stands for, where each of them is too narrow. */
  readonly rest: number;
}

/** What is drawn below a node. */
export interface Layout {
  /** Level by level, each from left to right. */
  readonly rectangles: readonly Rectangle[];
  readonly levels: number;
  /** Nodes below that are too narrow, too far down, or too many. */
  readonly hidden: number;
}

/** Lays out a node and all that is below it, level by level, as far as it can be seen. */
export function layout(tree: Tree, top: Id, measure: Measure, width: number): Layout {
  const rectangles: Rectangle[] = [];
  if (tree.total(top, measure) > 0) rectangles.push({ id: top, x: 0, width, level: 0, rest: 0 });
  // The list grows while it is gone through.
  for (const rectangle of rectangles) {
    if (rectangle.level + 1 >= MOST_LEVELS) break;
    if (rectangle.rest > 0) continue;
    const room = MOST_RECTANGLES - rectangles.length;
    rectangles.push(...below(tree, rectangle, measure).slice(0, room));
  }
  const levels = (rectangles.at(-1)?.level ?? -1) + 1;
  const nodes = rectangles.filter(({ rest }) => rest === 0).length;
  return { rectangles, levels, hidden: tree.size(top) - nodes };
}

/** The children of a node, the largest first, and what is left of them as one. */
function below(tree: Tree, { id: parent, x, width, level }: Rectangle, measure: Measure) {
  const scale = width / tree.total(parent, measure);
  const children = tree.children(parent, measure);
  const found: Rectangle[] = [];
  let end = x;
  let left = 0;
  for (const id of children) {
    const wide = tree.total(id, measure) * scale;
    if (wide < LEAST_WIDTH) {
      left += wide;
      continue;
    }
    found.push({ id, x: end, width: wide, level: level + 1, rest: 0 });
    end += wide;
  }
  if (left >= LEAST_WIDTH) {
    const rest = children.length - found.length;
    found.push({ id: parent, x: end, width: left, level: level + 1, rest });
  }
  return found;
}

/** Which way to go in a picture. */
export type Way = "up" | "down" | "left" | "right";

/** The rectangle that is next in a direction; the same one where there is none. */
export function next(layout: Layout, tree: Tree, from: Id, way: Way): Id {
  const rectangles = layout.rectangles.filter(({ rest }) => rest === 0);
  const place = rectangles.findIndex(({ id }) => id === from);
  const here = rectangles[place];
  if (here === undefined) return from;
  const found = {
    left: () => rectangles[place - 1],
    right: () => rectangles[place + 1],
    up: () => rectangles.find(({ id }) => id === tree.parent(from)),
    down: () => rectangles.find(({ id }) => id !== from && tree.parent(id) === from),
  }[way]();
  const isBeside = way === "left" || way === "right";
  return found === undefined || (isBeside && found.level !== here.level) ? from : found.id;
}
